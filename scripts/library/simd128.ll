; Functions for which WebAssembly has instructions, which take sixteen bytes. From wider vectors LLVM
; 20 makes wrong or slow code: of a mask of 32 lanes it takes the wrong half, and a mask of 64 lanes it
; takes lane by lane. See `replaceable` in gammon/compiled/jit/vector_type.py.

define linkonce_odr hidden i64 @gammon_bits_32(<32 x i1> %mask) alwaysinline {
  %part0 = shufflevector <32 x i1> %mask, <32 x i1> poison, <16 x i32> <
    i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7,
    i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %bytes0 = sext <16 x i1> %part0 to <16 x i8>
  %set0 = call i32 @llvm.wasm.bitmask.v16i8(<16 x i8> %bytes0)
  %word0 = zext i32 %set0 to i64
  %part1 = shufflevector <32 x i1> %mask, <32 x i1> poison, <16 x i32> <
    i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23,
    i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes1 = sext <16 x i1> %part1 to <16 x i8>
  %set1 = call i32 @llvm.wasm.bitmask.v16i8(<16 x i8> %bytes1)
  %word1 = zext i32 %set1 to i64
  %high1 = shl i64 %word1, 16
  %all1 = or i64 %word0, %high1
  ret i64 %all1
}

define linkonce_odr hidden i64 @gammon_bits_64(<64 x i1> %mask) alwaysinline {
  %part0 = shufflevector <64 x i1> %mask, <64 x i1> poison, <16 x i32> <
    i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7,
    i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %bytes0 = sext <16 x i1> %part0 to <16 x i8>
  %set0 = call i32 @llvm.wasm.bitmask.v16i8(<16 x i8> %bytes0)
  %word0 = zext i32 %set0 to i64
  %part1 = shufflevector <64 x i1> %mask, <64 x i1> poison, <16 x i32> <
    i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23,
    i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes1 = sext <16 x i1> %part1 to <16 x i8>
  %set1 = call i32 @llvm.wasm.bitmask.v16i8(<16 x i8> %bytes1)
  %word1 = zext i32 %set1 to i64
  %high1 = shl i64 %word1, 16
  %all1 = or i64 %word0, %high1
  %part2 = shufflevector <64 x i1> %mask, <64 x i1> poison, <16 x i32> <
    i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39,
    i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
  %bytes2 = sext <16 x i1> %part2 to <16 x i8>
  %set2 = call i32 @llvm.wasm.bitmask.v16i8(<16 x i8> %bytes2)
  %word2 = zext i32 %set2 to i64
  %high2 = shl i64 %word2, 32
  %all2 = or i64 %all1, %high2
  %part3 = shufflevector <64 x i1> %mask, <64 x i1> poison, <16 x i32> <
    i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55,
    i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %bytes3 = sext <16 x i1> %part3 to <16 x i8>
  %set3 = call i32 @llvm.wasm.bitmask.v16i8(<16 x i8> %bytes3)
  %word3 = zext i32 %set3 to i64
  %high3 = shl i64 %word3, 48
  %all3 = or i64 %all2, %high3
  ret i64 %all3
}

declare i32 @llvm.wasm.bitmask.v16i8(<16 x i8>)
declare <4 x i32> @llvm.wasm.dot(<8 x i16>, <8 x i16>)

define linkonce_odr hidden <16 x i32> @gammon_sums_of_pairs_32(<32 x i16> %v, <32 x i16> %u) alwaysinline {
  %v0 = shufflevector <32 x i16> %v, <32 x i16> poison, <8 x i32> <
    i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %u0 = shufflevector <32 x i16> %u, <32 x i16> poison, <8 x i32> <
    i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %sum0 = call <4 x i32> @llvm.wasm.dot(<8 x i16> %v0, <8 x i16> %u0)
  %v1 = shufflevector <32 x i16> %v, <32 x i16> poison, <8 x i32> <
    i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %u1 = shufflevector <32 x i16> %u, <32 x i16> poison, <8 x i32> <
    i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %sum1 = call <4 x i32> @llvm.wasm.dot(<8 x i16> %v1, <8 x i16> %u1)
  %v2 = shufflevector <32 x i16> %v, <32 x i16> poison, <8 x i32> <
    i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %u2 = shufflevector <32 x i16> %u, <32 x i16> poison, <8 x i32> <
    i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %sum2 = call <4 x i32> @llvm.wasm.dot(<8 x i16> %v2, <8 x i16> %u2)
  %v3 = shufflevector <32 x i16> %v, <32 x i16> poison, <8 x i32> <
    i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %u3 = shufflevector <32 x i16> %u, <32 x i16> poison, <8 x i32> <
    i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %sum3 = call <4 x i32> @llvm.wasm.dot(<8 x i16> %v3, <8 x i16> %u3)
  %low = shufflevector <4 x i32> %sum0, <4 x i32> %sum1, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %high = shufflevector <4 x i32> %sum2, <4 x i32> %sum3, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %all = shufflevector <8 x i32> %low, <8 x i32> %high, <16 x i32> <
    i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7,
    i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  ret <16 x i32> %all
}
