/* export_qti.c: QTI 1.2 with Canvas' fields. Choices are response_lid, numbers a range of
 * response_str, explanations general feedback, variants a section that selects one. */
#include "lab/quiz/export.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

static void put(FILE *out, const char *text) {
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
}

static void put_material(FILE *out, const char *text) {
    fputs("<material><mattext texttype=\"text/plain\">", out);
    put(out, text);
    fputs("</mattext></material>", out);
}

static void put_field(FILE *out, const char *label, const char *entry) {
    fprintf(out,
            "<qtimetadatafield><fieldlabel>%s</fieldlabel><fieldentry>%s</fieldentry></qtimetadatafield>",
            label, entry);
}

static void put_labels(FILE *out, const struct quiz_asked *asked) {
    fputs("<response_lid ident=\"response1\" rcardinality=\"Single\"><render_choice>", out);
    for (unsigned i = 0; i < asked->choice_count + asked->code_count; i++) {
        char text[32];
        snprintf(text, sizeof text, "line %u", asked->code_first + i);
        fprintf(out, "<response_label ident=\"a%u\">", i);
        put_material(out, asked->choice_count > 0 ? asked->choices[i] : text);
        fputs("</response_label>", out);
    }
    fputs("</render_choice></response_lid>", out);
}

static void put_presentation(FILE *out, const struct quiz_asked *asked) {
    const struct quiz_question *q = asked->question;
    fputs("<presentation><material><mattext texttype=\"text/html\">&lt;p&gt;", out);
    /* HTML within XML is escaped twice. */
    const char *texts[] = {asked->text, q->kind == QUIZ_NUMBER && q->unit[0] != '\0' ? q->unit : NULL};
    for (int i = 0; i < 2 && texts[i] != NULL; i++) {
        fputs(i == 1 ? " (in " : "", out);
        for (const char *c = texts[i]; *c != '\0'; c++)
            fputs(*c == '&'   ? "&amp;amp;"
                  : *c == '<' ? "&amp;lt;"
                  : *c == '>' ? "&amp;gt;"
                              : (char[]){*c, 0},
                  out);
        fputs(i == 1 ? ")" : "", out);
    }
    fputs("&lt;/p&gt;", out);
    if (asked->code_count > 0)
        fputs("&lt;pre&gt;", out);
    for (unsigned i = 0; i < asked->code_count; i++) {
        fprintf(out, "%u  ", asked->code_first + i);
        for (const char *c = asked->code[i]; *c != '\0'; c++)
            fputs(*c == '&'   ? "&amp;amp;"
                  : *c == '<' ? "&amp;lt;"
                  : *c == '>' ? "&amp;gt;"
                              : (char[]){*c, 0},
                  out);
        fputc('\n', out);
    }
    fputs(asked->code_count > 0 ? "&lt;/pre&gt;</mattext></material>" : "</mattext></material>", out);
    if (q->kind == QUIZ_NUMBER)
        fputs("<response_str ident=\"response1\" rcardinality=\"Single\"><render_fib fibtype=\"Decimal\">"
              "<response_label ident=\"answer1\"/></render_fib></response_str>",
              out);
    else
        put_labels(out, asked);
    fputs("</presentation>\n", out);
}

static void put_processing(FILE *out, const struct quiz_asked *asked) {
    fputs("<resprocessing><outcomes><decvar maxvalue=\"100\" minvalue=\"0\" varname=\"SCORE\" "
          "vartype=\"Decimal\"/></outcomes>"
          "<respcondition continue=\"Yes\"><conditionvar><other/></conditionvar>"
          "<displayfeedback feedbacktype=\"Response\" linkrefid=\"general_fb\"/></respcondition>"
          "<respcondition continue=\"No\"><conditionvar>",
          out);
    if (asked->question->kind == QUIZ_NUMBER)
        fprintf(
            out,
            "<vargte respident=\"response1\">%.10g</vargte><varlte respident=\"response1\">%.10g</varlte>",
            asked->low, asked->high);
    else
        fprintf(out, "<varequal respident=\"response1\">a%u</varequal>", asked->right);
    fputs(
        "</conditionvar><setvar action=\"Set\" varname=\"SCORE\">100</setvar></respcondition></resprocessing>\n"
        "<itemfeedback ident=\"general_fb\"><flow_mat>",
        out);
    put_material(out, asked->why);
    fputs("</flow_mat></itemfeedback>", out);
}

static void put_item(FILE *out, const struct quiz *quiz, unsigned index, unsigned v,
                     const struct quiz_asked *asked) {
    const struct quiz_question *q = asked->question;
    fprintf(out, "<item ident=\"%s_%u_%u\" title=\"", quiz->lab, index + 1, v + 1);
    put(out, q->title);
    fputs("\"><itemmetadata><qtimetadata>", out);
    put_field(out, "question_type",
              q->kind == QUIZ_NUMBER ? "numerical_question" : "multiple_choice_question");
    put_field(out, "points_possible", "1.0");
    fputs("</qtimetadata></itemmetadata>\n", out);
    put_presentation(out, asked);
    put_processing(out, asked);
    fputs("</item>\n", out);
}

bool quiz_write_qti(const struct quiz_export *export, const struct quiz *quiz, FILE *out, char *error,
                    size_t size) {
    struct quiz_asked *asked = malloc(sizeof *asked);
    bool right = asked != NULL;
    if (!right)
        snprintf(error, size, "out of memory");
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<questestinterop xmlns=\"http://www.imsglobal.org/xsd/ims_qtiasiv1p2\">\n"
            "<assessment ident=\"%s\" title=\"GPU performance, %s\">\n<section ident=\"root_section\">\n",
            quiz->lab, quiz->lab);
    for (unsigned i = 0; right && i < quiz->count; i++) {
        const struct quiz_question *q = &quiz->questions[i];
        if (q->drawn) {
            fprintf(out, "<section ident=\"%s_%u\" title=\"", quiz->lab, i + 1);
            put(out, q->title);
            fputs("\"><selection_ordering><selection><selection_number>1</selection_number>"
                  "<selection_extension><points_per_item>1.0</points_per_item></selection_extension>"
                  "</selection></selection_ordering>\n",
                  out);
        }
        for (unsigned v = 0; right && v < quiz_variants(q); v++) {
            right = quiz_variant(export, quiz, i, v, asked, error, size);
            if (right)
                put_item(out, quiz, i, v, asked);
        }
        fputs(q->drawn ? "</section>\n" : "", out);
    }
    fputs("</section>\n</assessment>\n</questestinterop>\n", out);
    free(asked);
    return right;
}

static void write_manifest(const struct quiz_export *export, FILE *out) {
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<manifest identifier=\"gpu-performance-labs\" "
          "xmlns=\"http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1\">\n"
          "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n"
          "<organizations/>\n<resources>\n",
          out);
    for (unsigned i = 0; i < export->count; i++)
        fprintf(
            out,
            "<resource identifier=\"%1$s\" type=\"imsqti_xmlv1p2\"><file href=\"%1$s/%1$s.xml\"/></resource>\n",
            export->quizzes[i].lab);
    fputs("</resources>\n</manifest>\n", out);
}

/* Adds a file to the zip. Its date is fixed, so that equal quizzes give equal bytes. */
static bool add_file(struct archive *zip, const char *name, const char *text, size_t length) {
    struct archive_entry *entry = archive_entry_new();
    if (entry == NULL)
        return false;
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)length);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, 315532800, 0); /* 1980-01-01 */
    bool right = archive_write_header(zip, entry) == ARCHIVE_OK &&
                 archive_write_data(zip, text, length) == (la_ssize_t)length;
    archive_entry_free(entry);
    return right;
}

/* Adds the manifest (index 0), or quiz index - 1, to the zip. */
static bool add_part(const struct quiz_export *export, struct archive *zip, unsigned index, char *error,
                     size_t size) {
    char name[64] = "imsmanifest.xml", *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    bool right = memory != NULL;
    if (!right)
        return fails(error, size, "out of memory");
    if (index == 0) {
        write_manifest(export, memory);
    } else {
        const struct quiz *quiz = &export->quizzes[index - 1];
        snprintf(name, sizeof name, "%s/%s.xml", quiz->lab, quiz->lab);
        right = quiz_write_qti(export, quiz, memory, error, size);
    }
    bool kept = fclose(memory) == 0;
    if (right && (!kept || !add_file(zip, name, text, length))) {
        snprintf(error, size, "%s cannot be put into the zip", name);
        right = false;
    }
    free(text);
    return right;
}

bool quiz_export_qti(const struct quiz_export *export, const char *path, char *error, size_t size) {
    struct archive *zip = archive_write_new();
    if (zip == NULL)
        return fails(error, size, "out of memory");
    bool right = archive_write_set_format_zip(zip) == ARCHIVE_OK &&
                 archive_write_open_filename(zip, path) == ARCHIVE_OK;
    if (!right)
        snprintf(error, size, "cannot write %s: %s", path, archive_error_string(zip));
    for (unsigned i = 0; right && i <= export->count; i++)
        right = add_part(export, zip, i, error, size);
    if (archive_write_close(zip) != ARCHIVE_OK && right) {
        snprintf(error, size, "cannot write %s: %s", path, archive_error_string(zip));
        right = false;
    }
    archive_write_free(zip);
    return right;
}
