/* Exports, read back by readers written from the formats' descriptions, and compared with the
 * questions. */
#include "base/file.h"
#include "base/home.h"
#include "base/test.h"
#include "lab/quiz/export.h"
#include "report/writers/html_escape.h"
#include <archive.h>
#include <archive_entry.h>
#include <ctype.h>
#include <regex.h>

static struct gpu_model model;
static struct home home;
static struct quiz quiz;
static struct quiz_asked asked;
static struct quiz_export export = {.quizzes = &quiz, .count = 1, .model = &model};
static char error[QUIZ_ERROR], folder[] = "/tmp/test_export.XXXXXX";

/* Every special character of the formats. */
static const char hostile[] =
    "[question A~B=C{D}E:F <\"&'>]\nkind = choice\ntext = 1 < 2 && {n} > 0: a~b=c\\d?\n"
    "draw n = 7\nright = x = {n}\nwrong = ~x <b>\nwrong = \"y\" & :z\nwhy = W: 2 < 3 & \\n ~=\n"
    "[question Number]\nkind = number\ntext = T\nanswer = 10\ntolerance = 5 %\nunit = kB\nwhy = W\n"
    "[question Line]\nkind = line\ntext = T\nwhy = W\n"
    "code = solutions/lab1-memory-layout/starter.cu 9 int sum = 0\nline = sum +=\n";

static int set_up(void **state) {
    draw_key_of_seed(&export.key, 1);
    export.root = home.root;
    return home_find(&home, error, sizeof error) && mkdtemp(folder) != NULL &&
                   gpu_model_load(NULL, "h200", &model, error, sizeof error)
               ? 0
               : -1;
}

static int tear_down(void **state) {
    folder_remove(folder);
    return 0;
}

static void variant(unsigned question, unsigned v) {
    if (!quiz_variant(&export, &quiz, question, v, &asked, error, sizeof error))
        fail_msg("%s", error);
}

/* ---- GIFT: "::title::[plain]text {answers}", a backslash before the format's characters */

/* Text up to one of the unescaped characters in `stops`, unescaped, trimmed. */
static const char *gift_text(const char *at, const char *stops, char *to, size_t size) {
    size_t length = 0;
    while (isspace((unsigned char)*at))
        at++;
    for (; *at != '\0' && strchr(stops, *at) == NULL; at++) {
        char c = *at;
        if (c == '\\') {
            c = *++at;
            if (c == 'n')
                c = '\n';
            else if (c == '\0' || strchr("~=#{}:\\", c) == NULL)
                fail_msg("an escape that GIFT does not have: \\%c", c);
        } else {
            assert_null(strchr("{}", c)); /* never bare within a text */
        }
        assert_true(length + 1 < size);
        to[length++] = c;
    }
    while (length > 0 && isspace((unsigned char)to[length - 1]))
        length--;
    to[length] = '\0';
    return at;
}

static const char *gift_skip(const char *at, const char *text) {
    while (isspace((unsigned char)*at))
        at++;
    if (strncmp(at, text, strlen(text)) != 0)
        fail_msg("'%.40s' does not begin with '%s'", at, text);
    return at + strlen(text);
}

static const char *gift_number(const char *at) {
    const char *dots = strstr(at, "..");
    char first[32], *end;
    assert_true(dots != NULL && dots - at < (ptrdiff_t)sizeof first);
    snprintf(first, sizeof first, "%.*s", (int)(dots - at - 1), at + 1);
    double low = strtod(first, &end);
    assert_int_equal(*end, '\0');
    double high = strtod(dots + 2, &end);
    /* Ten digits are written. */
    assert_true(low <= asked.low + 1e-6 * (1 + asked.high) && low >= asked.low - 1e-6 * (1 + asked.high));
    assert_true(high <= asked.high + 1e-6 * (1 + asked.high) && high >= asked.high - 1e-6 * (1 + asked.high));
    return end;
}

/* Checks the answers between { and }: the right one is marked, each is as made. */
static const char *gift_answers(const char *at) {
    char text[QUIZ_TEXT], line[32];
    unsigned count = 0;
    while (isspace((unsigned char)*at))
        at++;
    if (*at == '#' && at[1] != '#')
        at = gift_number(at);
    for (;;) {
        while (isspace((unsigned char)*at))
            at++;
        if (*at != '=' && *at != '~')
            break;
        bool right = *at == '=';
        at = gift_text(at + 1, "~=#}", text, sizeof text);
        snprintf(line, sizeof line, "line %u", asked.code_first + count);
        assert_string_equal(text, asked.choice_count > 0 ? asked.choices[count] : line);
        assert_int_equal(right, count == asked.right);
        count++;
    }
    assert_int_equal(count, asked.choice_count + asked.code_count);
    at = gift_text(gift_skip(at, "####"), "}", text, sizeof text);
    assert_string_equal(text, asked.why);
    return at;
}

static const char *gift_question(const char *at, unsigned index, unsigned v) {
    char text[2 * QUIZ_TEXT], title[128];
    variant(index, v);
    at = gift_text(gift_skip(at, "::"), ":", text, sizeof text);
    snprintf(title, sizeof title, "%s %s", quiz.lab, asked.question->title);
    assert_int_equal(strncmp(text, title, strlen(title)), 0);
    at = gift_text(gift_skip(at, "::[plain]"), "{", text, sizeof text);
    assert_int_equal(strncmp(text, asked.text, strlen(asked.text)), 0);
    return gift_skip(gift_answers(gift_skip(at, "{")), "}");
}

/* Moodle splits a file at empty lines, and drops lines that begin with two slashes. */
static void gift_lines(const char *text) {
    for (const char *at = text; (at = strchr(at, '\n')) != NULL;) {
        const char *next = at + 1 + strspn(at + 1, " \t");
        assert_int_not_equal(strncmp(next, "//", 2), 0);
        at++;
        if (*next == '\n' && next[1] != '\0')
            assert_true(next[1] == '$' || strncmp(next + 1, "::", 2) == 0);
    }
}

/* ---- the page: a form for each variant, in order */

static char *escaped(const char *text) {
    char *page = NULL;
    size_t length;
    FILE *out = open_memstream(&page, &length);
    assert_non_null(out);
    html_escape(out, text);
    assert_int_equal(fclose(out), 0);
    return page;
}

static const char *page_skip(const char *at, const char *text) {
    const char *found = strstr(at, text);
    if (found == NULL)
        fail_msg("not on the page: %s", text);
    return found + strlen(text);
}

static void read_page(void) {
    FREED char *page = NULL;
    size_t length;
    FILE *out = open_memstream(&page, &length);
    assert_non_null(out);
    bool written = quiz_export_page(&export, out, error, sizeof error);
    assert_int_equal(fclose(out), 0);
    if (!written)
        fail_msg("%s", error);
    const char *at = page;
    for (unsigned i = 0; i < quiz.count; i++)
        for (unsigned v = 0; v < quiz_variants(&quiz.questions[i]); v++) {
            char form[160];
            variant(i, v);
            FREED char *text = escaped(asked.text), *why = escaped(asked.why),
                       *choice = escaped(asked.choice_count > 0 ? asked.choices[asked.right] : "");
            snprintf(form, sizeof form, "<form data-question=\"%u\"%s ", i, v > 0 ? " hidden" : "");
            at = page_skip(at, form);
            if (quiz.questions[i].kind == QUIZ_NUMBER)
                snprintf(form, sizeof form, "data-low=\"%.10g\" data-high=\"%.10g\">", asked.low, asked.high);
            else
                snprintf(form, sizeof form, "data-right=\"%u\">", asked.right);
            assert_ptr_equal(page_skip(at, form), at + strlen(form));
            at = page_skip(page_skip(at, text), "</legend>");
            if (asked.choice_count > 0) {
                snprintf(form, sizeof form, "value=\"%u\"> ", asked.right);
                assert_memory_equal(page_skip(at, form), choice, strlen(choice));
            }
            at = page_skip(page_skip(at, why), "</form>");
        }
    assert_null(strstr(at, "<form"));
    assert_null(strstr(page, "src="));
}

static void read_gift(void) {
    FREED char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    bool written = quiz_export_gift(&export, out, error, sizeof error);
    assert_int_equal(fclose(out), 0);
    if (!written)
        fail_msg("%s", error);
    gift_lines(text);
    const char *at = text;
    for (unsigned i = 0; i < quiz.count; i++) {
        at = gift_skip(at, "$CATEGORY: ");
        at += strcspn(at, "\n");
        for (unsigned v = 0; v < quiz_variants(&quiz.questions[i]); v++)
            at = gift_question(at, i, v);
    }
    assert_int_equal(strspn(at, "\n"), strlen(at));
}

/* ---- XML: nested elements; text between them with its entities replaced */

struct xml {
    const char *at;
    char name[64], attributes[512], text[2 * QUIZ_TEXT];
    char open[32][64],
        inside[32][QUIZ_TEXT * 4]; /* inside: the names of its children so far, a blank behind each */
    unsigned depth;
    bool closes;
};

/* Children of each element by QTI 1.2's content models, for the written elements. */
static const struct model_of {
    const char *name, *children;
} models[] = {
    {"questestinterop", "^assessment $"},
    {"assessment", "^section $"},
    {"section", "^(selection_ordering )?(item |section )+$"},
    {"selection_ordering", "^selection $"},
    {"selection", "^selection_number selection_extension $"},
    {"selection_extension", "^points_per_item $"},
    {"item", "^itemmetadata presentation resprocessing itemfeedback $"},
    {"itemmetadata", "^qtimetadata $"},
    {"qtimetadata", "^(qtimetadatafield )+$"},
    {"qtimetadatafield", "^fieldlabel fieldentry $"},
    {"presentation", "^material (response_lid |response_str )$"},
    {"response_lid", "^render_choice $"},
    {"response_str", "^render_fib $"},
    {"render_choice", "^(response_label ){2,}$"},
    {"render_fib", "^response_label $"},
    {"response_label", "^(material )?$"},
    {"material", "^mattext $"},
    {"resprocessing", "^outcomes (respcondition )+$"},
    {"outcomes", "^decvar $"},
    {"respcondition", "^conditionvar (setvar )?(displayfeedback )?$"},
    {"conditionvar", "^(other |varequal |vargte varlte )$"},
    {"itemfeedback", "^flow_mat $"},
    {"flow_mat", "^material $"},
    {"manifest", "^metadata organizations resources $"},
    {"metadata", "^schema schemaversion $"},
    {"resources", "^(resource )+$"},
    {"resource", "^file $"},
};

/* At an element's end: were its children allowed? One that is not listed holds only text. */
static void check_children(const char *name, const char *children) {
    const char *pattern = "^$";
    regex_t model;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strcmp(models[i].name, name) == 0)
            pattern = models[i].children;
    assert_int_equal(regcomp(&model, pattern, REG_EXTENDED | REG_NOSUB), 0);
    if (regexec(&model, children, 0, NULL, 0) != 0)
        fail_msg("<%s> holds '%s', and should '%s'", name, children, pattern);
    regfree(&model);
}

/* Notes a child of the innermost open element. */
static void note_child(struct xml *x) {
    if (x->depth == 0 || x->name[0] == '?')
        return;
    char *inside = x->inside[x->depth - 1];
    size_t used = strlen(inside);
    assert_true(used + strlen(x->name) + 2 < sizeof x->inside[0]);
    snprintf(inside + used, sizeof x->inside[0] - used, "%s ", x->name);
}

static void xml_unescape(char *text) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    char *to = text;
    for (const char *at = text; *at != '\0';) {
        size_t e = 0;
        while (*at == '&' && e < 4 && strncmp(at, entities[e], strlen(entities[e])) != 0)
            e++;
        if (e == 4)
            fail_msg("an entity that XML does not have: %.20s", at);
        bool entity = *at == '&';
        *to++ = entity ? "&<>\""[e] : *at; /* perhaps where `at` is */
        at += entity ? strlen(entities[e]) : 1;
    }
    *to = '\0';
}

/* The next tag; text: what precedes it. False: the document has ended, all elements closed. */
static bool xml_next(struct xml *x) {
    size_t length = strcspn(x->at, "<");
    assert_true(length < sizeof x->text);
    memcpy(x->text, x->at, length);
    x->text[length] = '\0';
    xml_unescape(x->text);
    x->at += length;
    if (*x->at == '\0') {
        assert_int_equal(x->depth, 0);
        return false;
    }
    const char *end = strchr(x->at, '>');
    assert_non_null(end);
    x->closes = x->at[1] == '/';
    const char *name = x->at + 1 + x->closes;
    size_t span = strcspn(name, " />");
    assert_true(span > 0 && span < sizeof x->name);
    memcpy(x->name, name, span);
    x->name[span] = '\0';
    length = (size_t)(end - name) - span;
    assert_true(length < sizeof x->attributes);
    memcpy(x->attributes, name + span, length);
    x->attributes[length] = '\0';
    assert_null(strchr(x->attributes, '<'));
    x->at = end + 1;
    if (!x->closes)
        note_child(x);
    if (x->closes) {
        assert_true(x->depth > 0);
        assert_string_equal(x->open[--x->depth], x->name);
        check_children(x->name, x->inside[x->depth]);
    } else if (end[-1] != '/' && x->name[0] != '?') {
        assert_true(x->depth < 32);
        x->inside[x->depth][0] = '\0';
        snprintf(x->open[x->depth++], sizeof x->open[0], "%s", x->name);
    }
    return true;
}

/* Goes on to the next opening tag with this name. */
static void xml_find(struct xml *x, const char *name) {
    do {
        if (!xml_next(x))
            fail_msg("no further <%s>", name);
    } while (x->closes || strcmp(x->name, name) != 0);
}

/* The text of the next element of this name. */
static const char *xml_text(struct xml *x, const char *name) {
    xml_find(x, name);
    assert_true(xml_next(x));
    assert_true(x->closes);
    return x->text;
}

static void qti_item(struct xml *x, unsigned index, unsigned v) {
    char expected[64];
    variant(index, v);
    xml_find(x, "item");
    assert_string_equal(xml_text(x, "fieldlabel"), "question_type");
    assert_string_equal(xml_text(x, "fieldentry"), asked.question->kind == QUIZ_NUMBER
                                                       ? "numerical_question"
                                                       : "multiple_choice_question");
    char html[2 * QUIZ_TEXT];
    snprintf(html, sizeof html, "%s", xml_text(x, "mattext")); /* html keeps its own entities */
    assert_int_equal(strncmp(html, "<p>", 3), 0);
    xml_unescape(strstr(html, "<p>") + 3);
    if (strncmp(html + 3, asked.text, strlen(asked.text)) != 0)
        fail_msg("'%.200s' is not '%s'", html, asked.text);
    for (unsigned i = 0; i < asked.choice_count + asked.code_count; i++) {
        snprintf(expected, sizeof expected, "line %u", asked.code_first + i);
        assert_string_equal(xml_text(x, "mattext"), asked.choice_count > 0 ? asked.choices[i] : expected);
    }
    if (asked.question->kind == QUIZ_NUMBER) {
        assert_float_equal(strtod(xml_text(x, "vargte"), NULL), asked.low, 1e-6 * (1 + asked.high));
        assert_float_equal(strtod(xml_text(x, "varlte"), NULL), asked.high, 1e-6 * (1 + asked.high));
    } else {
        snprintf(expected, sizeof expected, "a%u", asked.right);
        assert_string_equal(xml_text(x, "varequal"), expected);
    }
    xml_find(x, "itemfeedback");
    assert_string_equal(xml_text(x, "mattext"), asked.why);
}

static void read_assessment(const char *text) {
    static struct xml x;
    memset(&x, 0, sizeof x);
    x.at = text;
    xml_find(&x, "questestinterop");
    xml_find(&x, "assessment");
    xml_find(&x, "section");
    for (unsigned i = 0; i < quiz.count; i++) {
        if (quiz.questions[i].drawn)
            assert_string_equal(xml_text(&x, "selection_number"), "1");
        for (unsigned v = 0; v < quiz_variants(&quiz.questions[i]); v++)
            qti_item(&x, i, v);
    }
    while (xml_next(&x))
        assert_true(x.closes); /* nothing follows */
}

/* The file of that name in a zip, for the caller to free. */
static char *unzip(const char *path, const char *name) {
    struct archive *zip = archive_read_new();
    struct archive_entry *entry;
    char *text = NULL;
    assert_int_equal(archive_read_support_format_zip(zip), ARCHIVE_OK);
    assert_int_equal(archive_read_open_filename(zip, path, 10240), ARCHIVE_OK);
    while (text == NULL && archive_read_next_header(zip, &entry) == ARCHIVE_OK) {
        if (strcmp(archive_entry_pathname(entry), name) != 0)
            continue;
        size_t size = (size_t)archive_entry_size(entry);
        text = calloc(1, size + 1);
        assert_non_null(text);
        assert_int_equal(archive_read_data(zip, text, size), size);
    }
    archive_read_free(zip);
    if (text == NULL)
        fail_msg("no %s in %s", name, path);
    return text;
}

static void read_qti(void) {
    char path[PATH_SIZE], name[64], line[96];
    assert_true(path_join(path, folder, "q.zip"));
    if (!quiz_export_qti(&export, path, error, sizeof error))
        fail_msg("%s", error);
    snprintf(name, sizeof name, "%s/%s.xml", quiz.lab, quiz.lab);
    FREED char *manifest = unzip(path, "imsmanifest.xml"), *text = unzip(path, name);
    static struct xml x;
    memset(&x, 0, sizeof x);
    x.at = manifest;
    xml_find(&x, "resource");
    assert_non_null(strstr(x.attributes, "type=\"imsqti_xmlv1p2\""));
    xml_find(&x, "file");
    snprintf(line, sizeof line, "href=\"%s\"", name);
    assert_non_null(strstr(x.attributes, line));
    read_assessment(text);
}

static void hostile_text_survives(void **state) {
    if (!quiz_parse(hostile, strlen(hostile), "quiz.ini", &quiz, error, sizeof error))
        fail_msg("%s", error);
    snprintf(quiz.lab, sizeof quiz.lab, "lab1");
    read_gift();
    read_page();
    read_qti();
}

static void the_labs_own(void **state) {
    unsigned questions = 0;
    for (int lab = 0; lab <= 10; lab++) {
        char id[16], where[PATH_SIZE];
        bool missing;
        snprintf(id, sizeof id, "lab%d", lab);
        if (!quiz_load(home.root, id, &quiz, where, &missing, error, sizeof error))
            fail_msg("%s", error);
        read_gift();
        read_page();
        read_qti();
        questions += quiz.count;
    }
    assert_true(questions >= 11 * 8);
}

/* Variants differ if there are enough numbers: a die of six sides, four variants. */
static void variants_differ(void **state) {
    static const char die[] =
        "[question Die]\nkind = number\ntext = {n}\ndraw n = 1 2 3 4 5 6\nanswer = n\ntolerance = 0\nwhy = W\n"
        "[question Coin]\nkind = number\ntext = {n}\ndraw n = 1 2\nanswer = n\ntolerance = 0\nwhy = W\n";
    char texts[QUIZ_VARIANTS][QUIZ_TEXT];
    if (!quiz_parse(die, strlen(die), "quiz.ini", &quiz, error, sizeof error))
        fail_msg("%s", error);
    for (int seed = 1; seed <= 50; seed++) {
        draw_key_of_seed(&export.key, (uint64_t)seed);
        for (unsigned v = 0; v < QUIZ_VARIANTS; v++) {
            variant(0, v);
            snprintf(texts[v], sizeof texts[v], "%s", asked.text);
            for (unsigned before = 0; before < v; before++)
                assert_string_not_equal(texts[before], texts[v]);
            variant(1, v); /* it has only two variants */
        }
    }
    draw_key_of_seed(&export.key, 1);
}

static void what_cannot_be_written_is_said(void **state) {
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, "nowhere/q.zip"));
    assert_false(quiz_export_qti(&export, path, error, sizeof error));
    assert_non_null(strstr(error, "cannot write"));
}

TESTS_BETWEEN(set_up, tear_down, UNIT(hostile_text_survives), UNIT(the_labs_own), UNIT(variants_differ),
              UNIT(what_cannot_be_written_is_said))
