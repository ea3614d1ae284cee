; The level of x86-64 that a processor has: 0, 1, 2 for v2, v3, v4, or -1 for less. The bits are from
; the psABI of x86-64; the system must support the wider registers, too.

define i32 @gammon_level() {
  %zeroth = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0, i32 0)
  %leaves = extractvalue { i32, i32, i32, i32 } %zeroth, 0
  %first = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 1, i32 0)
  %one = extractvalue { i32, i32, i32, i32 } %first, 2
  ; SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT.
  %two.has = and i32 %one, 9970177
  %two = icmp eq i32 %two.has, 9970177
  br i1 %two, label %wider, label %less
wider:
  ; FMA, MOVBE, OSXSAVE, AVX, F16C.
  %three.has = and i32 %one, 943722496
  %three = icmp eq i32 %three.has, 943722496
  %seventh.is = icmp uge i32 %leaves, 7
  %both = and i1 %three, %seventh.is
  br i1 %both, label %registers, label %v2
registers:
  %seventh = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 7, i32 0)
  %seven = extractvalue { i32, i32, i32, i32 } %seventh, 1
  %extended = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"(i32 -2147483647, i32 0)
  %ext = extractvalue { i32, i32, i32, i32 } %extended, 2
  %saved = call { i32, i32 } asm "xgetbv", "={ax},={dx},{cx},~{dirflag},~{fpsr},~{flags}"(i32 0)
  %kept = extractvalue { i32, i32 } %saved, 0
  ; BMI1, AVX2, BMI2; LZCNT; registers of 32 bytes.
  %v3.seven = and i32 %seven, 296
  %v3.a = icmp eq i32 %v3.seven, 296
  %v3.ext = and i32 %ext, 32
  %v3.b = icmp eq i32 %v3.ext, 32
  %v3.kept = and i32 %kept, 6
  %v3.c = icmp eq i32 %v3.kept, 6
  %v3.ab = and i1 %v3.a, %v3.b
  %v3 = and i1 %v3.ab, %v3.c
  br i1 %v3, label %widest, label %v2
widest:
  ; AVX512F, DQ, CD, BW, VL; registers of 64 bytes.
  %v4.seven = and i32 %seven, -805109760
  %v4.a = icmp eq i32 %v4.seven, -805109760
  %v4.kept = and i32 %kept, 230
  %v4.b = icmp eq i32 %v4.kept, 230
  %v4 = and i1 %v4.a, %v4.b
  %level = select i1 %v4, i32 2, i32 1
  ret i32 %level
v2:
  ret i32 0
less:
  ret i32 -1
}
