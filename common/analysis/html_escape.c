#include "analysis/html_escape.h"

void html_escape(FILE *to, const char *text) {
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default:
            if ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')
                fputc(*text, to);
        }
}
