; The runtime of kernels that allocate memory, in place of numba's. The functions, and the record of a
; piece of memory, are the ones that numba's code expects under these names.

; The reference count, two unused fields, the address of the data, its size, an unused field.
%piece = type { i64, ptr, ptr, ptr, i64, ptr }

declare ptr @gammon_take(i64)
declare void @free(ptr)

define linkonce_odr hidden ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %step = zext i32 %align to i64
  %room = add i64 %step, 48
  %all = add i64 %size, %room
  %piece = call ptr @gammon_take(i64 %all)
  %none = icmp eq ptr %piece, null
  br i1 %none, label %end, label %fill
fill:
  %behind = getelementptr inbounds i8, ptr %piece, i64 48
  %address = ptrtoint ptr %behind to i64
  %beyond = add i64 %address, %step
  %last = sub i64 %beyond, 1
  %mask = sub i64 0, %step
  %data = and i64 %last, %mask
  %start = inttoptr i64 %data to ptr
  store %piece { i64 1, ptr null, ptr null, ptr null, i64 0, ptr null }, ptr %piece
  %at.data = getelementptr inbounds %piece, ptr %piece, i32 0, i32 3
  store ptr %start, ptr %at.data
  %at.size = getelementptr inbounds %piece, ptr %piece, i32 0, i32 4
  store i64 %size, ptr %at.size
  br label %end
end:
  ret ptr %piece
}

define linkonce_odr hidden void @NRT_MemInfo_call_dtor(ptr %piece) {
  call void @free(ptr %piece)
  ret void
}

; Compute the strides of a contiguous array in another shape. Returns 0 if that shape has another
; number of elements. All arrays of kernels are contiguous.
define linkonce_odr hidden i32 @numba_attempt_nocopy_reshape(
    i64 %axes, ptr %shape, ptr %strides, i64 %newaxes, ptr %newshape, ptr %newstrides,
    i64 %itemsize, i32 %fortran) {
entry:
  br label %old
old:
  %i = phi i64 [ 0, %entry ], [ %i.next, %old.body ]
  %count = phi i64 [ 1, %entry ], [ %count.next, %old.body ]
  %old.more = icmp slt i64 %i, %axes
  br i1 %old.more, label %old.body, label %new
old.body:
  %at.shape = getelementptr inbounds i64, ptr %shape, i64 %i
  %length = load i64, ptr %at.shape
  %count.next = mul i64 %count, %length
  %i.next = add i64 %i, 1
  br label %old
new:
  %k = phi i64 [ %newaxes, %old ], [ %k.next, %new.body ]
  %step = phi i64 [ %itemsize, %old ], [ %step.next, %new.body ]
  %total = phi i64 [ 1, %old ], [ %total.next, %new.body ]
  %new.more = icmp sgt i64 %k, 0
  br i1 %new.more, label %new.body, label %end
new.body:
  %k.next = sub i64 %k, 1
  %at.new = getelementptr inbounds i64, ptr %newshape, i64 %k.next
  %newlength = load i64, ptr %at.new
  %at.stride = getelementptr inbounds i64, ptr %newstrides, i64 %k.next
  store i64 %step, ptr %at.stride
  %step.next = mul i64 %step, %newlength
  %total.next = mul i64 %total, %newlength
  br label %new
end:
  %same = icmp eq i64 %count, %total
  %answer = zext i1 %same to i32
  ret i32 %answer
}
