/* lookalike.c: the letters of alphabets that share their shapes with Latin ones (Unicode's confusables.txt has them all; these
 * are those of whole alphabets that people type). */
#include "class/text.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

static const struct {
    uint32_t code;
    char like;
} letters[] = {
    {0x391, 'A'}, {0x392, 'B'},   {0x395, 'E'},  {0x396, 'Z'},  {0x397, 'H'},  {0x399, 'l'},  {0x39a, 'K'},
    {0x39c, 'M'}, {0x39d, 'N'},   {0x39f, 'O'},  {0x3a1, 'P'},  {0x3a4, 'T'},  {0x3a5, 'Y'},  {0x3a7, 'X'},
    {0x3b1, 'a'}, {0x3b9, 'i'},   {0x3bd, 'v'},  {0x3bf, 'o'},  {0x3c1, 'p'},  {0x3c5, 'u'},  {0x3f2, 'c'},
    {0x3f3, 'j'}, {0x405, 'S'},   {0x406, 'l'},  {0x408, 'J'},  {0x410, 'A'},  {0x412, 'B'},  {0x415, 'E'},
    {0x41a, 'K'}, {0x41c, 'M'},   {0x41d, 'H'},  {0x41e, 'O'},  {0x420, 'P'},  {0x421, 'C'},  {0x422, 'T'},
    {0x425, 'X'}, {0x430, 'a'},   {0x435, 'e'},  {0x43e, 'o'},  {0x440, 'p'},  {0x441, 'c'},  {0x443, 'y'},
    {0x445, 'x'}, {0x455, 's'},   {0x456, 'i'},  {0x458, 'j'},  {0x4bb, 'h'},  {0x501, 'd'},  {0x51b, 'q'},
    {0x51d, 'w'}, {0x131, 'i'},   {0x2010, '-'}, {0x2011, '-'}, {0x2012, '-'}, {0x2013, '-'}, {0x2212, '-'},
    {0xa0, ' '},  {0x2019, '\''}, {0x3000, ' '}, {'0', 'O'},    {'1', 'l'},    {'I', 'l'}};

/* Shows nothing: joiners, selectors of a variant; the others are '?' since they were read (text_clean). */
static int is_unseen(uint32_t code) {
    return code == 0x200c || code == 0x200d || code == 0x34f || (code >= 0xfe00 && code <= 0xfe0f);
}

static char plain(uint32_t code) {
    if (code >= 0xff01 && code <= 0xff5e) /* fullwidth ASCII */
        code -= 0xfee0;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].code == code)
            return letters[i].like;
    return code < 0x80 ? (char)code : '\0';
}

/* What one character looks like, up to four bytes: how many. */
static size_t look(const char *at, size_t length, char looks[4]) {
    uint32_t code = utf8_code_point(at, length);
    if (is_unseen(code))
        return 0;
    looks[0] = plain(code);
    if (looks[0] != '\0')
        return 1;
    memcpy(looks, at, length);
    return length;
}

void lookalike_key(const char *given, char *key, size_t size) {
    enum { LONGEST = 1024 };
    char normal[LONGEST];
    text_normal(normal, sizeof normal, given);
    const char *name = normal;
    size_t used = 0, left = strlen(name);
    while (left > 0) {
        char looks[4];
        size_t length = utf8_length(name, left);
        size_t count = length > 0 ? look(name, length, looks) : 1;
        if (used + count >= size)
            break;
        memcpy(key + used, length > 0 ? looks : "?", count);
        used += count;
        length = length > 0 ? length : 1;
        name += length;
        left -= length;
    }
    key[used] = '\0';
}

void typed_key(const char *id, char *key, size_t size) {
    enum { LONGEST = 1024 };
    char normal[LONGEST];
    text_normal(normal, sizeof normal, id);
    size_t used = 0;
    key[used++] = ' '; /* with which nothing that is shown begins */
    for (const char *c = normal; *c != '\0' && used + 1 < size; c++)
        if (!isspace((unsigned char)*c))
            key[used++] = (char)tolower((unsigned char)*c);
    key[used] = '\0';
}
