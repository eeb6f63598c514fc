/* html_escape.c: makes any text safe in HTML and XML. */
#include "report/writers/html_escape.h"

#include "base/utf8.h"

#include <string.h>

void html_escape(FILE *to, const char *text) {
    for (size_t left = strlen(text), taken; left > 0; text += taken, left -= taken) {
        size_t length = utf8_length(text, left);
        taken = length > 0 ? length : 1;
        switch (*text) {
        case '&': fputs("&amp;", to); break;
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '"': fputs("&quot;", to); break;
        default:
            if (length > 1 ||
                (length == 1 && ((unsigned char)*text >= ' ' || *text == '\n' || *text == '\t')))
                fwrite(text, 1, length, to);
        }
    }
}
