type Numbers = Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array

/** Returns the array, or a copy that is half as long again as `length` if it is shorter than that; the rest is zeros. */
export function growArray<Kind extends Numbers>(numbers: Kind, length: number): Kind {
  if (length <= numbers.length) return numbers
  const next = new (numbers.constructor as new (length: number) => Kind)(Math.max(64, Math.ceil(length * 1.5)))
  next.set(numbers)
  return next
}
