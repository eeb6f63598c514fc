/* The class list, the policy, times and fields: small texts in, values or one clear line out. */
#include "support_class.h"

#include "class/intake/roster.h"
#include "class/queue/queue.h"
#include "class/score/policy.h"

#include <math.h>

static struct roster roster_of(const char *text) {
    struct roster roster;
    if (!roster_parse(&roster, text, strlen(text), "r.csv", error, sizeof error))
        fail_msg("%s", error);
    return roster;
}

static void rosters_of_the_platforms(void **state) {
    struct roster r =
        roster_of("\xef\xbb\xbfstudent,name,extension_hours\njdoe,Jane Doe,24\n\nmmu,\"Mu, Max\",\n");
    assert_int_equal(r.count, 2);
    assert_true(r.students[0].extension_hours == 24);
    assert_string_equal(r.students[1].first, "Max");
    assert_ptr_equal(roster_find(&r, false, "JDOE", "", ""), &r.students[0]);
    assert_ptr_equal(roster_find(&r, false, "99", "", "mumax"), &r.students[1]);
    assert_ptr_equal(roster_find(&r, false, "99", "", "Max Mu"), &r.students[1]);
    assert_null(roster_find(&r, false, "99", "", "Max"));
    roster_free(&r);
    /* Moodle */
    r = roster_of("First name,Surname,ID number,Email address\nJane,Doe,123,jane@x.edu\n");
    assert_ptr_equal(roster_find(&r, false, "7", "", "Jane Doe"), &r.students[0]);
    assert_ptr_equal(roster_find(&r, false, "jane", "", ""), &r.students[0]); /* the name before the @ */
    assert_string_equal(r.students[0].id, "123");
    roster_free(&r);
    /* Canvas: "Student" is the name, a line of totals follows */
    r = roster_of("Student,ID,SIS User ID,SIS Login ID\n    Points Possible,,,\n\"Doe, Jane\",9,123,jane\n");
    assert_int_equal(r.count, 1);
    assert_string_equal(r.students[0].id, "123");
    assert_ptr_equal(roster_find(&r, false, "9", "", "doejane"), &r.students[0]);
    roster_free(&r);
    /* GitHub Classroom */
    r = roster_of("identifier,github_username,github_id,name\ns1,octocat,5,\n");
    assert_ptr_equal(roster_find(&r, false, "octocat", "", ""), &r.students[0]);
    assert_string_equal(r.students[0].id, "s1");
    roster_free(&r);
}

/* A number that a platform names a part of its download by is looked for where the platform's own file has it, and
 * nowhere else: another student's number of another kind may be the same. */
static void numbers_of_the_platforms(void **state) {
    struct roster r =
        roster_of("Identifier,Full name,ID number,Email address,Status,Grade,Maximum grade,Grade can be "
                  "changed,Last modified (grade),Feedback comments\n"
                  "Participant 5,Ann Ash,770017,ann@x.edu,,,100.00,Yes,-,\n"
                  "Participant 770017,Wei Zhang,5,wei@x.edu,,,100.00,Yes,-,\n"
                  "Participant 70017,Wei Zhang,6,wei2@x.edu,,,100.00,Yes,-,\n");
    assert_int_equal(r.kind, ROSTER_MOODLE_WORKSHEET);
    assert_string_equal(r.students[1].id, "5"); /* the identifier is of one assignment alone */
    assert_ptr_equal(roster_find(&r, true, "770017", "", "Wei Zhang"), &r.students[1]);
    assert_ptr_equal(roster_find(&r, true, "70017", "", "Wei Zhang"), &r.students[2]);
    assert_ptr_equal(roster_find(&r, true, "5", "", "Ann Ash"), &r.students[0]);
    assert_null(roster_find(&r, true, "6", "", "Wei Zhang"));
    assert_ptr_equal(roster_find(&r, true, "8", "", "Ann Ash"), &r.students[0]);
    assert_null(roster_find(&r, false, "770017", "", "")); /* a number of two kinds */
    roster_free(&r);
    /* in another language, and of a blind assignment */
    r = roster_of("Identifier,Status,Grade,Last modified (grade)\nTeilnehmer/in17,,,-\n");
    assert_ptr_equal(roster_find(&r, true, "17", "", "Teilnehmer/in17"), &r.students[0]);
    assert_null(roster_find(&r, true, "7", "", ""));
    roster_free(&r);
    r = roster_of("Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (44)\n"
                  "    Points Possible,,,,,100\n"
                  "\"Doe, Jane\",9,12,jane,A,\n\"Mu, Max\",12,9,max,A,\n\"Student, Test\",13,,ab12,A,\n");
    assert_int_equal(r.kind, ROSTER_CANVAS_GRADEBOOK);
    assert_int_equal(r.count, 2);
    assert_ptr_equal(roster_find(&r, true, "12", "", "mumax"), &r.students[1]);
    assert_null(roster_find(&r, false, "12", "", ""));
    roster_free(&r);
}

/* What fits two rows, in whatever columns, is nobody's; of a platform whose column is there no
 * other one counts. */
static void a_name_of_two_students_is_nobodys(void **state) {
    static const struct {
        const char *rows, *column, *id, *email, *name;
        int student; /* -1: of the first two */
    } rows[] = {
        {"adams,\"M, Al\",octojane@gmail.com,malgit\njdoe,\"Doe, Jane\",jane@x.edu,octojane\n", NULL,
         "octojane", "", "", -1},
        {"adams,\"M, Al\",octojane@gmail.com,malgit\njdoe,\"Doe, Jane\",jane@x.edu,octojane\n",
         "github username", "octojane", "", "", 1},
        {"s1,\"Doe, Jane\",jdoe@x.edu,octojane\nmallory,\"M, Al\",mal@x.edu,jdoe\n", NULL, "jdoe", "", "",
         -1},
        {"s1,\"Doe, Jane\",jdoe@x.edu,octojane\nmallory,\"M, Al\",mal@x.edu,jdoe\n", "github username",
         "jdoe", "", "", 1},
        {"s1,\"Doe, Jane\",jdoe@x.edu,\nmallory,\"M, Al\",mal@x.edu,octomal\n", "github username", "jdoe", "",
         "", -2},
        {"s1,jdoe,jane@x.edu,octojane\nmallory,\"M, Al\",mal@x.edu,jdoe\n", NULL, "jdoe", "", "", -1},
        {"s1,jdoe,jane@x.edu,octojane\nmallory,\"M, Al\",mal@x.edu,jdoe\n", "github username", "jdoe", "", "",
         1},
        {"s1,Wei Zhang,a@x.edu,\ns2,Wei Zhang,b@x.edu,\n", NULL, "77", "", "Wei Zhang", -1},
        {"s1,Wei Zhang,a@x.edu,\ns2,Wei Zhang,b@x.edu,\n", NULL, "s2", "", "Wei Zhang", 1},
        {"s1,Ann Ash,a@x.edu,\ns2,Wei Zhang,b@x.edu,\n", NULL, "s1", "b@x.edu", "", -1},
        {"s1,Ann Ash,a@x.edu,\ns2,Wei Zhang,b@x.edu,\n", NULL, "s1", "a@x.edu", "", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct roster r = roster_of(class_print("student,name,email,github_username\n%s", rows[i].rows));
        struct roster_match match = roster_match(&r, &(struct roster_query){.column = rows[i].column,
                                                                            .id = rows[i].id,
                                                                            .email = rows[i].email,
                                                                            .name = rows[i].name});
        bool several = match.several[0] == &r.students[0] && match.several[1] == &r.students[1];
        if (match.student != (rows[i].student >= 0 ? &r.students[rows[i].student] : NULL) ||
            several != (rows[i].student == -1))
            fail_msg("row %zu: %s, %s", i, match.student != NULL ? match.student->id : "nobody",
                     several ? "or both" : "alone");
        roster_free(&r);
    }
}

/* Whoever takes another's id for a name is found when the roster is read. */
static void another_students_id_is_refused(void **state) {
    static const struct {
        const char *text, *says; /* NULL: it is read */
    } rows[] = {
        {"student,name,email,github_username\njdoe,Jane,j@x.edu,octo\nmal,M,m@x.edu,JDoe\n",
         "roster.csv: row 3: the github_username 'jdoe' is the student of row 2: a file of that name could be either's; "
         "change it in one of the rows, or leave out that column"},
        {"student,email,username\nann,bob@x.edu,a\nbob,b@x.edu,bob@x.edu\n",
         "roster.csv: row 3: the username 'bob@x.edu' is the email of row 2"},
        {"sid,email,id\n12,a@x.edu,9\n9,b@x.edu,12\n", NULL}, /* numbers of two kinds */
        {"student,email,username\nann,ann@x.edu,ann\nbob,bob@x.edu,bob\n", NULL},
        {"student,email\nann,-\nbob,-\n", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct roster r;
        char said[512] = "";
        bool right = roster_parse(&r, rows[i].text, strlen(rows[i].text), "roster.csv", said, sizeof said);
        assert_int_equal(right, rows[i].says == NULL);
        if (right)
            roster_free(&r);
        else
            assert_has(said, rows[i].says);
    }
}

/* As a spreadsheet writes them where the decimal point is a comma. */
static void rosters_with_semicolons(void **state) {
    ENDED(roster_free)
    struct roster r = roster_of("student;name;extension_hours\nann;\"Ash; Ann\";24\nbob;Bold, Bob;\n");
    assert_int_equal(r.count, 2);
    assert_string_equal(r.students[0].name, "Ash; Ann");
    assert_string_equal(r.students[1].last, "Bold");
    assert_true(r.students[0].extension_hours == 24);
}

static void rosters_that_are_refused(void **state) {
    static const struct {
        const char *text, *words;
    } wrong[] = {{"", "no column 'student'"},
                 {"student\tname\nx\ty\n", "separate the columns by commas"},
                 {"student\na\nb\na\n", "the student a is in rows"},
                 {"student,extension_hours\na,soon\n", "'soon' is not a number of hours"},
                 {"student,submitted\na,yesterday\n", "'yesterday' is not a time"},
                 {"student\n\"a\n", "quote is not closed"},
                 {"Vorname,Nachname\na,b\n", "nor student id, sid, id number, username"},
                 {"student,name\na,J\xf6rg\n", "not UTF-8"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct roster roster;
        assert_false(
            roster_parse(&roster, wrong[i].text, strlen(wrong[i].text), "r.csv", error, sizeof error));
        assert_has(error, wrong[i].words);
    }
}

static struct policy policy_of(const char *text) {
    struct policy policy;
    if (!policy_parse(&policy, text, strlen(text), "p.ini", error, sizeof error))
        fail_msg("%s", error);
    return policy;
}

static void one_lab_overrides_the_class(void **state) {
    struct policy p = policy_of("[class]\npoints = 50 # of all\nkey=" CLASS_KEY
                                "\ndevices = sim cuda\n[lab3]\npoints = 10\ngpu = t4\n"
                                "[lab3 goal speedup]\nsim = 0.5 0.9\n");
    struct policy_rules rules;
    policy_rules(&p, "lab1", &rules);
    assert_true(rules.points == 50 && strcmp(rules.key, CLASS_KEY) == 0 &&
                rules.devices == (POLICY_SIM | POLICY_CUDA));
    assert_string_equal(rules.gpu, "h200");
    policy_rules(&p, "lab3", &rules);
    assert_true(rules.points == 10 && strcmp(rules.key, CLASS_KEY) == 0 && isnan(rules.pass));
    assert_string_equal(rules.gpu, "t4");
    assert_true(policy_goal(&p, "lab3", "speedup")->has_sim);
    assert_null(policy_goal(&p, "lab1", "speedup"));
}

static void policies_that_are_refused(void **state) {
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"points = 3\n", "p.ini:1: key 'points' before any [section]"},
        {"[class]\npoints = many\n", "p.ini:2: 'many' is not a number"},
        {"[class]\npoints = 100001\n", "p.ini:2: 100001 is outside 0 to 100000"},
        {"[class]\npoints = nan\n", "p.ini:2: 'nan' is not a number"},
        {"[class]\ncolour = red\n", "unknown key 'colour'"},
        {"[klass]\n", "unknown section [klass]"},
        {"[lab3 goal]\n", "unknown section"},
        {"[class]\ndeadline = 30 February\n", "is not a time"},
        {"[class]\ndeadline = 2026-02-30 12:00\n", "is not a time"},
        {"[class]\ndevices = tpu\n", "devices are sim, cuda"},
        {"[class]\nkey = 0\n", "p.ini:2: a key has 64 hexadecimal digits: openssl rand -hex 32 makes one"},
        {"[class]\nseed = 7\n", "p.ini:2: a seed can be found by trying them all"},
        {"[class]\nsize = 10\n", "is not a size"},
        {"[lab3 goal speedup]\nsim = 1 1\n", "the same value"},
        {"[class]\npass = 1\npass = 2\n", "p.ini:3: pass is here twice"},
        {"[class]\n[class]\n", "p.ini:2: [class] is here twice"},
        {"[lab3]\n[lab3]\n", "p.ini:2: [lab3] is here twice"},
        {"[lab3 goal speedup]\n[lab3 goal speedup]\n", "p.ini:2: [lab3 goal speedup] is here twice"},
        {"[lab3 goal speedup]\npoints = 1\npoints = 1\n", "p.ini:3: points is here twice"},
        {"[lab3 goal speedup]\nsim = 0 1\nsim = 0 1\n", "p.ini:3: the thresholds are here twice"},
        {"[class]\nlate_percent_per_day = 110\n", "110 is outside 0 to 100"},
        {"[class]\ncounts = most\n", "p.ini:2: 'most' is not last or best"},
        {"[class]\nfile_times = 1\n", "p.ini:2: '1' is not no or yes"},
        {"[lab3]\nfree_late_days = 2\n", "p.ini:2: free_late_days are a student's for all labs"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct policy policy;
        assert_false(
            policy_parse(&policy, wrong[i].text, strlen(wrong[i].text), "p.ini", error, sizeof error));
        assert_has(error, wrong[i].words);
    }
}

/* What means nothing beside the labs that there are is an error, with its line. */
static void policies_beside_the_labs(void **state) {
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"[class]\ngpu = rtx4090\n", "p.ini:2: no GPU model \"rtx4090\"; there are: "},
        {"[class]\ngpu = h200\n[lab1]\ngpu = h300\n", "p.ini:4: no GPU model \"h300\"; there are: "},
        {"[class]\n\n[lab99]\npoints = 1\n", "p.ini:3: there is no lab99"},
        {"[lab1]\n[lab1 goal sped]\n", "p.ini:2: lab1 has no goal 'sped'; its goals are: speedup, "},
        {"[lab33 goal speedup]\n", "p.ini:1: there is no lab33"},
        {"[class]\nflags_zero = cheating\n", "p.ini:2: no flag is called 'cheating'; all, none, or some of:"},
        {"[class]\nflags_zero = timeout all\n", "p.ini:2: no flag is called 'all'"},
        {"[lab1]\nflags_zero = timeout, memroy\n", "p.ini:2: no flag is called 'memroy'"},
        {"[class]\npoints = 50\npass = 200\n", "p.ini:3: nobody can pass: 200 points are asked for, of 50"},
        {"[class]\npass = 60\n[lab1]\npoints = 50\n",
         "p.ini:2: nobody can pass lab1: 60 points are asked for, of 50"},
        {"[class]\npoints = 50\n[lab1]\npass = 60\n",
         "p.ini:4: nobody can pass lab1: 60 points are asked for, of 50"},
        {"[lab1 goal speedup]\npoints = 10\n[lab1]\npass = 90\n",
         "p.ini:4: nobody can pass lab1: 90 points"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct policy policy = policy_of(wrong[i].text);
        if (policy_check(&policy, ".", "p.ini", error, sizeof error))
            fail_msg("taken: %s", wrong[i].text);
        assert_has(error, wrong[i].words);
    }
    struct policy p =
        policy_of("\xef\xbb\xbf[class]\npoints = 50\npass = 50\nflags_zero = timeout, memory\n[lab1]\n"
                  "[lab1 goal speedup]\nsim = 0.6 0.9\n");
    if (!policy_check(&p, ".", "p.ini", error, sizeof error))
        fail_msg("%s", error);
}

/* A real GPU's sizes take longer, and its host computes while it waits. */
static void the_time_limit_follows_the_device(void **state) {
    struct policy p = policy_of("");
    assert_true(policy_run_seconds(&p.all, POLICY_SIM) == 60 &&
                policy_run_seconds(&p.all, POLICY_CUDA) == 600);
    p = policy_of("[class]\nrun_seconds = 5\n");
    assert_true(policy_run_seconds(&p.all, POLICY_SIM) == 5 && policy_run_seconds(&p.all, POLICY_CUDA) == 5);
}

static void lateness(void **state) {
    struct policy p =
        policy_of("[class]\ndeadline = 1970-01-11 00:00 Z\ngrace_minutes = 10\nlate_percent_per_day = 20\n"
                  "late_percent_at_most = 50\nlate_days = 5\n");
    const int64_t deadline = 10 * 86400;
    static const struct {
        int64_t late; /* seconds */
        double extension, percent;
        unsigned days;
    } cases[] = {{-1, 0, 0, 0},           {600, 0, 0, 0},          {601, 0, 20, 1},
                 {86400 + 600, 0, 20, 1}, {86400 + 601, 0, 40, 2}, {3 * 86400, 0, 50, 3},
                 {5 * 86400, 0, 50, 5},   {6 * 86400, 0, 100, 6},  {3600, 1, 0, 0},
                 {6 * 86400, 240, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned days = policy_late_days(&p.all, deadline + cases[i].late, cases[i].extension);
        assert_true(policy_late_percent(&p.all, days, 0) == cases[i].percent);
        assert_int_equal(days, cases[i].days);
    }
    assert_int_equal(policy_late_days(&p.all, 0, 0), 0); /* not known: nothing is held against it */
    assert_true(policy_late_percent(&p.all, 3, 2) == 20);
    assert_true(policy_late_percent(&p.all, 3, 3) == 0);
    assert_true(policy_late_percent(&p.all, 6, 6) == 100); /* too late is too late */
}

static void flags_that_cost_points(void **state) {
    struct policy p = policy_of("[class]\nflags_zero = network, host-answer\n");
    assert_true(policy_flag_zero(&p.all, "network"));
    assert_true(policy_flag_zero(&p.all, "host-answer"));
    assert_false(policy_flag_zero(&p.all, "host"));
    p = policy_of("");
    assert_true(policy_flag_zero(&p.all, "anything"));
}

static void times(void **state) {
    static const struct {
        const char *text;
        int64_t seconds;
    } right[] = {{"1970-01-02 00:00 Z", 86400},
                 {"1970-01-02T00:00:05Z", 86405},
                 {"1970-01-02 01:00 +01:00", 86400},
                 {"1970-01-02 01:00:00.25 +0100", 86400},
                 {"1970-01-01 24:00 UTC", 86400}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        int64_t seconds;
        assert_true(text_parse_time(right[i].text, &seconds));
        assert_int_equal(seconds, right[i].seconds);
    }
    int64_t seconds;
    setenv("TZ", "EST5", 1);
    assert_true(text_parse_time("1970-01-02 00:00", &seconds));
    assert_int_equal(seconds, 86400 + 5 * 3600);
    unsetenv("TZ");
    assert_false(text_parse_time("tomorrow", &seconds));
    assert_false(text_parse_time("1970-13-01 00:00 Z", &seconds));
    assert_false(text_parse_time("1970-01-01 00:00 Mars", &seconds));
}

static void csv_fields(void **state) {
    static const struct {
        const char *text, *field;
    } cases[] = {{"plain", "plain"},
                 {"a,b", "\"a,b\""},
                 {"say \"hi\"", "\"say \"\"hi\"\"\""},
                 {"=1+1", "\"'=1+1\""},
                 {"+1", "\"'+1\""},
                 {"-1", "\"'-1\""},
                 {"@SUM(A1)", "\"'@SUM(A1)\""},
                 {"two\nlines", "\"two\nlines\""},
                 {"a=b", "a=b"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FREED char *text = NULL;
        size_t size;
        FILE *memory = open_memstream(&text, &size);
        text_csv(memory, cases[i].text);
        fclose(memory);
        assert_string_equal(text, cases[i].field);
    }
}

static void the_progress_line(void **state) {
    char text[128];
    struct queue_counts counts = {.wanted = 600, .done = 210, .trouble = 2};
    progress_line_text(text, sizeof text, &counts, 12, 60, 0);
    assert_string_equal(text, "212 of 600 judged  35 %  200.0 a minute  2 min left");
    progress_line_text(text, sizeof text, &counts, 212, 60, 0);
    assert_string_equal(text, "212 of 600 judged  35 %");
}

TESTS(UNIT(rosters_of_the_platforms), UNIT(numbers_of_the_platforms), UNIT(rosters_with_semicolons),
      UNIT(a_name_of_two_students_is_nobodys), UNIT(another_students_id_is_refused),
      UNIT(rosters_that_are_refused), UNIT(one_lab_overrides_the_class), UNIT(policies_that_are_refused),
      UNIT(policies_beside_the_labs), UNIT(the_time_limit_follows_the_device), UNIT(lateness),
      UNIT(flags_that_cost_points), UNIT(times), UNIT(csv_fields), UNIT(the_progress_line))
