/* test_compute_forms.c: the parser and the handler tables agree on every register instruction: each
 * form finds a handler. */
#include "gpu/ptx/ptx.h"
#include "support_compute.h"

/* "{a,b}": each of a, b in turn. Registers: %p, %s 16, %r 32, %d 64 bits, %f, %g floats. */
static const char *const forms[] = {
    "{add,sub,div,rem,min,max}.{u16,s16} %s1, %s2, %s3",
    "{add,sub,div,rem,min,max}.{u32,s32} %r1, %r2, 5",
    "{add,sub,div,rem,min,max}.{u64,s64} %d1, %d2, %d3",
    "{add,sub}.sat.s32 %r1, %r2, %r3",
    "mul.{lo,hi}.{u16,s16} %s1, %s2, %s3",
    "mul.{lo,hi}.{u32,s32} %r1, %r2, %r3",
    "mul.{lo,hi}.{u64,s64} %d1, %d2, %d3",
    "mul.wide.{u16,s16} %r1, %s2, %s3",
    "mul.wide.{u32,s32} %d1, %r2, -4",
    "mad.{lo,hi}.{u16,s16} %s1, %s2, %s3, %s4",
    "mad.{lo,hi}.{u32,s32} %r1, %r2, %r3, %r4",
    "mad.{lo,hi}.{u64,s64} %d1, %d2, %d3, %d4",
    "mad.wide.{u16,s16} %r1, %s2, %s3, %r4",
    "mad.wide.{u32,s32} %d1, %r2, %r3, %d4",
    "mad.hi.sat.s32 %r1, %r2, %r3, %r4",
    "mul24.{lo,hi}.{u32,s32} %r1, %r2, %r3",
    "mad24.{lo,hi}.{u32,s32} %r1, %r2, %r3, %r4",
    "mad24.hi.sat.s32 %r1, %r2, %r3, %r4",
    "sad.{u32,s32} %r1, %r2, %r3, %r4",
    "sad.{u64,s64} %d1, %d2, %d3, %d4",
    "sad.{u16,s16} %s1, %s2, %s3, %s4",
    "{abs,neg}.s16 %s1, %s2",
    "{abs,neg}.s32 %r1, %r2",
    "{abs,neg}.s64 %d1, %d2",
    "{popc,clz}.b32 %r1, %r2",
    "{popc,clz}.b64 %r1, %d2",
    "bfind{,.shiftamt}.{u32,s32} %r1, %r2",
    "bfind{,.shiftamt}.{u64,s64} %r1, %d2",
    "fns.b32 %r1, %r2, %r3, %r4",
    "brev.b32 %r1, %r2",
    "brev.b64 %d1, %d2",
    "bfe.{u32,s32} %r1, %r2, 8, 8",
    "bfe.{u64,s64} %d1, %d2, %r3, %r4",
    "bfi.b32 %r1, %r2, %r3, %r4, %r5",
    "bfi.b64 %d1, %d2, %d3, %r4, 16",
    "szext.{clamp,wrap}.{u32,s32} %r1, %r2, %r3",
    "bmsk.{clamp,wrap}.b32 %r1, %r2, %r3",
    "dp4a.{u32,s32}.{u32,s32} %r1, %r2, %r3, %r4",
    "dp2a.{lo,hi}.{u32,s32}.{u32,s32} %r1, %r2, %r3, %r4",
    "{add,sub}.cc.{u32,s32} %r1, %r2, %r3",
    "{addc,subc}{,.cc}.{u32,s32} %r1, %r2, %r3",
    "{add,sub}.cc.{u64,s64} %d1, %d2, %d3",
    "{addc,subc}{,.cc}.{u64,s64} %d1, %d2, %d3",
    "mad.{lo,hi}.cc.{u32,s32} %r1, %r2, %r3, %r4",
    "madc.{lo,hi}{,.cc}.{u32,s32} %r1, %r2, %r3, %r4",
    "mad.{lo,hi}.cc.{u64,s64} %d1, %d2, %d3, %d4",
    "madc.{lo,hi}{,.cc}.{u64,s64} %d1, %d2, %d3, %d4",
    /* floats */
    "{add,sub,mul}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 %f1, %f2, 0f3F800000",
    "{fma,mad}{.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 %f1, %f2, %f3, %f4",
    "{add,sub,mul}{,.rn,.rz,.rm,.rp}.f64 %g1, %g2, %g3",
    "{fma,mad}{.rn,.rz,.rm,.rp}.f64 %g1, %g2, %g3, %g4",
    "div{.rn,.rz,.rm,.rp,.approx,.full}{,.ftz}.f32 %f1, %f2, %f3",
    "div{.rn,.rz,.rm,.rp}.f64 %g1, %g2, %g3",
    "{rcp,sqrt}{.rn,.rz,.rm,.rp,.approx}{,.ftz}.f32 %f1, %f2",
    "{rcp,sqrt}{.rn,.rz,.rm,.rp}.f64 %g1, %g2",
    "{rsqrt,sin,cos,lg2,ex2}.approx{,.ftz}.f32 %f1, %f2",
    "tanh.approx.f32 %f1, %f2",
    "{rcp,rsqrt}.approx.ftz.f64 %g1, %g2",
    "rsqrt.approx.f64 %g1, %g2",
    "{abs,neg}{,.ftz}.f32 %f1, %f2",
    "{abs,neg}.f64 %g1, %g2",
    "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f32 %f1, %f2, %f3",
    "{min,max}.f64 %g1, %g2, %g3",
    "copysign.f32 %f1, %f2, %f3",
    "copysign.f64 %g1, %g2, %g3",
    "testp.{finite,infinite,number,notanumber,normal,subnormal}.f32 %p1, %f2",
    "testp.{finite,infinite,number,notanumber,normal,subnormal}.f64 %p1, %g2",
    /* halves */
    "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16 %s1, %s2, %s3",
    "{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16x2 %r1, %r2, %r3",
    "{add,sub,mul}{,.rn}.bf16 %s1, %s2, %s3",
    "{add,sub,mul}{,.rn}.bf16x2 %r1, %r2, %r3",
    "fma.rn{,.ftz}{,.sat,.relu}.f16 %s1, %s2, %s3, %s4",
    "fma.rn{,.ftz}{,.sat,.relu}.f16x2 %r1, %r2, %r3, %r4",
    "fma.rn{,.relu}.bf16 %s1, %s2, %s3, %s4",
    "fma.rn{,.relu}.bf16x2 %r1, %r2, %r3, %r4",
    "{neg,abs}{,.ftz}.f16 %s1, %s2",
    "{neg,abs}{,.ftz}.f16x2 %r1, %r2",
    "{neg,abs}.bf16 %s1, %s2",
    "{neg,abs}.bf16x2 %r1, %r2",
    "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16 %s1, %s2, %s3",
    "{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16x2 %r1, %r2, %r3",
    "{min,max}{,.NaN}{,.xorsign.abs}.bf16 %s1, %s2, %s3",
    "{min,max}{,.NaN}{,.xorsign.abs}.bf16x2 %r1, %r2, %r3",
    "ex2.approx.f16 %s1, %s2",
    "ex2.approx.f16x2 %r1, %r2",
    "ex2.approx.ftz.bf16 %s1, %s2",
    "ex2.approx.ftz.bf16x2 %r1, %r2",
    "tanh.approx.{f16,bf16} %s1, %s2",
    "tanh.approx.{f16x2,bf16x2} %r1, %r2",
    "setp.{eq,lt,geu,num}{,.ftz}.f16 %p1, %s2, %s3",
    "setp.{eq,lt,geu,num}.bf16 %p1, %s2, %s3",
    "setp.{eq,lt,geu,num}.f16x2 %p1|%p2, %r2, %r3",
    "set.{eq,lt,geu,nan}.{f16,u16,s16}.f16 %s1, %s2, %s3",
    "set.{eq,lt}.{u32,s32}.f16 %r1, %s2, %s3",
    "set.{eq,gt}.f16x2.f16x2 %r1, %r2, %r3",
    /* comparison and selection */
    "setp.{eq,ne,lt,le,gt,ge}.{u32,s32} %p1, %r2, %r3",
    "setp.{lo,ls,hi,hs}.u32 %p1, %r2, 7",
    "setp.{eq,ne,lt,le,gt,ge}.{u16,s16} %p1, %s2, %s3",
    "setp.{eq,ne,lt,le,gt,ge}.{u64,s64} %p1, %d2, %d3",
    "setp.{eq,ne}.b32 %p1, %r2, %r3",
    "setp.{eq,ne}.b16 %p1, %s2, %s3",
    "setp.{eq,ne}.b64 %p1, %d2, %d3",
    "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.ftz}.f32 %p1, %f2, %f3",
    "setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}.f64 %p1, %g2, %g3",
    "setp.lt.{and,or,xor}.s32 %p1|%p2, %r2, %r3, !%p3",
    "set.{eq,lt}{,.ftz}.{u32,s32,f32}.f32 %r1, %f2, %f3",
    "set.{eq,lt}.{u32,s32,f32}.s32 %r1, %r2, %r3",
    "set.lt.{and,or,xor}.{u32,f32}.f64 %r1, %g2, %g3, %p1",
    "selp.{b16,u16,s16} %s1, %s2, %s3, %p1",
    "selp.{b32,u32,s32} %r1, %r2, 0, %p1",
    "selp.{b64,u64,s64} %d1, %d2, %d3, %p1",
    "selp.f32 %f1, %f2, %f3, %p1",
    "selp.f64 %g1, %g2, %g3, %p1",
    "slct.{b32,u32,s32}.s32 %r1, %r2, %r3, %r4",
    "slct{,.ftz}.f32.f32 %f1, %f2, %f3, %f4",
    "slct.f64.s32 %g1, %g2, %g3, %r4",
    /* logic */
    "{and,or,xor}.b16 %s1, %s2, %s3",
    "{and,or,xor}.b32 %r1, %r2, %r3",
    "{and,or,xor}.b64 %d1, %d2, %d3",
    "{and,or,xor}.pred %p1, %p2, %p3",
    "{not,cnot}.b16 %s1, %s2",
    "{not,cnot}.b32 %r1, %r2",
    "{not,cnot}.b64 %d1, %d2",
    "not.pred %p1, %p2",
    "lop3.b32 %r1, %r2, %r3, %r4, 0x96",
    "shf.{l,r}.{wrap,clamp}.b32 %r1, %r2, %r3, %r4",
    "shl.b16 %s1, %s2, %r3",
    "shl.b32 %r1, %r2, 3",
    "shl.b64 %d1, %d2, %r3",
    "shr.{b16,u16,s16} %s1, %s2, 3",
    "shr.{b32,u32,s32} %r1, %r2, %r3",
    "shr.{b64,u64,s64} %d1, %d2, %r3",
    "prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} %r1, %r2, %r3, %r4",
    /* movement and conversion */
    "mov.{u16,s16,b16} %s1, %s2",
    "mov.{u32,s32,b32} %r1, %r2",
    "mov.f32 %f1, 0f3F800000",
    "mov.f64 %g1, %g2",
    "mov.{u64,s64,b64} %d1, %d2",
    "mov.pred %p1, %p2",
    "mov.u32 %r1, %tid.x",
    "mov.b64 %d1, {%r1, %r2}",
    "mov.b64 {%r1, %r2}, %d1",
    "mov.b64 {_, %r2}, %d1",
    "mov.b32 %r1, {%s1, %s2}",
    "mov.b32 {%s1, %s2}, %r1",
    "mov.b64 %d1, {%s1, %s2, %s3, %s4}",
    "mov.b64 {%s1, %s2, %s3, %s4}, %d1",
    "cvt{,.sat}.{u8,s8,u16,s16}.{u8,s8,u16,s16} %s1, %s2",
    "cvt{,.sat}.{u8,s8,u16,s16}.{u32,s32} %s1, %r2",
    "cvt{,.sat}.{u8,s8,u16,s16,u32,s32}.{u8,s8,u16,s16,u32,s32} %r1, %r2",
    "cvt{,.sat}.{u64,s64}.{u8,s8,u16,s16,u32,s32,u64,s64} %d1, %d2",
    "cvt{,.sat}.{u64,s64}.{u32,s32} %d1, %r2",
    "cvt{,.sat}.{u32,s32}.{u64,s64} %r1, %d2",
    "cvt.{rn,rz,rm,rp}{,.sat}.f32.{u8,s8,u16,s16} %f1, %s2",
    "cvt.{rn,rz,rm,rp}{,.sat}.f32.{u32,s32} %f1, %r2",
    "cvt.{rn,rz,rm,rp}.f32.{u64,s64} %f1, %d2",
    "cvt.{rn,rz,rm,rp}.f64.{u32,s32} %g1, %r2",
    "cvt.{rn,rz,rm,rp}.f64.{u64,s64} %g1, %d2",
    "cvt.{rni,rzi,rmi,rpi}{,.ftz}{,.sat}.{u32,s32}.f32 %r1, %f2",
    "cvt.{rni,rzi,rmi,rpi}{,.ftz}.{u64,s64}.f32 %d1, %f2",
    "cvt.{rni,rzi,rmi,rpi}.{u8,s8,u16,s16}.f32 %s1, %f2",
    "cvt.{rni,rzi,rmi,rpi}.{u32,s32}.f64 %r1, %g2",
    "cvt.{rni,rzi,rmi,rpi}.{u64,s64}.f64 %d1, %g2",
    "cvt.{rni,rzi,rmi,rpi}{,.ftz}{,.sat}.f32.f32 %f1, %f2",
    "cvt{,.ftz}.sat.f32.f32 %f1, %f2",
    "cvt.{rni,rzi,rmi,rpi}.f64.f64 %g1, %g2",
    "cvt{,.ftz}.f64.f32 %g1, %f2",
    "cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32.f64 %f1, %g2",
    "cvt.{rn,rz}.f16.f32 %s1, %f2",
    "cvt.rn.f16.f64 %s1, %g2",
    "cvt.f32.{f16,bf16} %f1, %s2",
    "cvt.f64.f16 %g1, %s2",
    "cvt.rn.{f16,bf16}.{u32,s32} %s1, %r2",
    "cvt.rzi.{u32,s32}.f16 %r1, %s2",
    "cvt.{rn,rz}{,.relu}.bf16.f32 %s1, %f2",
    "cvt.{rn,rz}{,.relu}.{f16x2,bf16x2}.f32 %r1, %f2, %f3",
    /* warp */
    "shfl.sync.{up,down,bfly,idx}.b32 %r1, %r2, %r3, 31, -1",
    "shfl.sync.{up,down,bfly,idx}.b32 %r1|%p1, %r2, 1, %r3, %r4",
    "vote.sync.{all,any,uni}.pred %p1, %p2, -1",
    "vote.sync.ballot.b32 %r1, !%p2, %r3",
    "match.any.sync.b32 %r1, %r2, -1",
    "match.any.sync.b64 %r1, %d2, %r3",
    "match.all.sync.b32 %r1|%p1, %r2, -1",
    "match.all.sync.b64 %r1|%p1, %d2, -1",
    "redux.sync.{add,min,max}.{u32,s32} %r1, %r2, -1",
    "redux.sync.{and,or,xor}.b32 %r1, %r2, -1",
    "elect.sync %r1|%p1, %r2",
    "elect.sync _|%p1, -1",
    "activemask.b32 %r1",
    /* matrices */
    "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3, %r4}, %r5, {%r6, %r7}",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
    "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
    "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
    "mma.sync.aligned.m8n8k4.row.col{,.rn}.f64.f64.f64.f64 {%g1, %g2}, {%g3}, {%g4}, {%g1, %g2}",
    "mma.sync.aligned.m8n8k16.row.col{,.satfinite}.s32.{u8,s8}.{u8,s8}.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2}",
    "mma.sync.aligned.m8n8k32.row.col{,.satfinite}.s32.{u4,s4}.{u4,s4}.s32 {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2}",
    "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.{and,xor}.popc {%r1, %r2}, {%r3}, {%r4}, {%r1, %r2}",
    "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2",
};

static char text[1 << 18];
static size_t length;
static void append(const char *format, const char *argument) {
    int wrote = snprintf(text + length, sizeof text - length, format, argument);
    assert_true(wrote >= 0 && (size_t)wrote < sizeof text - length);
    length += (size_t)wrote;
}

/* Writes `form` with its first group replaced by each choice in turn. A brace behind a blank or
 * comma is an operand's. */
static unsigned expand(const char *form) {
    const char *open = NULL;
    for (const char *p = form; *p && open == NULL; p++)
        if (*p == '{' && !(p > form && p[-1] == ' '))
            open = p;
    if (open == NULL) {
        append("%s;\n", form);
        return 1;
    }
    const char *close = strchr(open, '}');
    unsigned count = 0;
    for (const char *choice = open + 1; choice <= close;) {
        size_t size = strcspn(choice, ",}");
        char next[256];
        snprintf(next, sizeof next, "%.*s%.*s%s", (int)(open - form), form, (int)size, choice, close + 1);
        count += expand(next);
        choice += size + 1;
    }
    return count;
}

/* Instructions that use more than registers, with handlers in access.c. */
static bool is_elsewhere(int opcode) {
    switch (opcode) {
    case PTX_PREFETCH:
    case PTX_ISSPACEP:
    case PTX_CVTA:
    case PTX_CP_ASYNC_COMMIT:
    case PTX_CP_ASYNC_WAIT:
    case PTX_BULK_COMMIT:
    case PTX_BULK_WAIT:
    case PTX_GRID_WAIT:
    case PTX_MAPA:
    case PTX_GETCTARANK:
    case PTX_MBARRIER_COUNT:
    case PTX_MEMBAR: return true;
    default:
        return ptx_natures[opcode].memory != PTX_MEMORY_NONE ||
               ptx_natures[opcode].control != PTX_CONTROL_NONE;
    }
}

static void every_form_has_a_handler(void **state) {
    unsigned count = 0, refused = 0;
    append("%s", ".version 8.6\n"
                 ".target sm_90\n"
                 ".address_size 64\n"
                 ".visible .entry k()\n"
                 "{\n"
                 ".reg .pred %p<8>;\n"
                 ".reg .b16 %s<8>;\n"
                 ".reg .b32 %r<8>;\n"
                 ".reg .b64 %d<8>;\n"
                 ".reg .f32 %f<8>;\n"
                 ".reg .f64 %g<8>;\n");
    size_t start = length;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        count += expand(forms[i]);
    append("%s", "ret;\n}\n");
    assert_true(count > 1000);
    struct ptx_error error;
    struct ptx_module *module = ptx_parse(text, length, &error);
    if (module == NULL)
        fail_msg("PTX line %u: %s", error.ptx_line, error.message);
    const struct ptx_function *function = &module->functions[0];
    const char *line = text + start;
    uint32_t at = 12; /* the PTX line `line` points at */
    bool seen[PTX_OPCODE_COUNT] = {false};
    for (uint32_t k = 0; k + 1 < function->instruction_count; k++) {
        const struct ptx_instruction *instruction = &function->instructions[k];
        for (; at < instruction->ptx_line; at++)
            line = strchr(line, '\n') + 1;
        seen[instruction->opcode] = true;
        struct simt_operation operation = {.instruction = instruction};
        if (!simt_select_compute(instruction, function->operands + instruction->operand, &operation)) {
            print_message("no handler: %.*s\n", (int)strcspn(line, "\n"), line);
            refused++;
        }
    }
    ptx_module_free(module);
    assert_int_equal(refused, 0);
    for (int opcode = 0; opcode < PTX_OPCODE_COUNT; opcode++)
        if (!seen[opcode] && !is_elsewhere(opcode))
            fail_msg("no form of '%s' is tried here", ptx_natures[opcode].mnemonic);
}

TESTS(UNIT(every_form_has_a_handler))
