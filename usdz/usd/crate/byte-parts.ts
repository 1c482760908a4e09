const blockSize = 1 << 16

/**
 * A file under construction as a list of parts. Small values are collected in blocks; large arrays are kept by
 * reference, so mesh data is copied only once, into the finished package. All numbers are little-endian.
 */
export class ByteParts {
  readonly #parts: Uint8Array[] = []
  #block = new DataView(new ArrayBuffer(blockSize))
  #used = 0
  #closed = 0

  /** The number of bytes written, which is the offset of the next value. */
  get length(): number {
    return this.#closed + this.#used
  }

  u8(value: number): void {
    this.#room(1)
    this.#block.setUint8(this.#used, value)
    this.#used += 1
  }

  u32(value: number): void {
    this.#room(4)
    this.#block.setUint32(this.#used, value, true)
    this.#used += 4
  }

  u64(value: number): void {
    this.u32(value % 2 ** 32)
    this.u32(Math.floor(value / 2 ** 32))
  }

  f32(value: number): void {
    this.#room(4)
    this.#block.setFloat32(this.#used, value, true)
    this.#used += 4
  }

  f64(value: number): void {
    this.#room(8)
    this.#block.setFloat64(this.#used, value, true)
    this.#used += 8
  }

  /** Appends bytes. Large arrays are kept by reference and must not change afterwards. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length > blockSize / 4) {
      this.#close()
      this.#parts.push(bytes)
      this.#closed += bytes.length
      return
    }
    this.#room(bytes.length)
    new Uint8Array(this.#block.buffer).set(bytes, this.#used)
    this.#used += bytes.length
  }

  /** Appends zeros up to the next multiple of `size`. */
  align(size: number): void {
    while (this.length % size !== 0) this.u8(0)
  }

  parts(): Uint8Array[] {
    this.#close()
    return this.#parts
  }

  #room(size: number): void {
    if (this.#used + size > blockSize) this.#close()
  }

  #close(): void {
    if (this.#used === 0) return
    this.#parts.push(new Uint8Array(this.#block.buffer, 0, this.#used))
    this.#closed += this.#used
    this.#block = new DataView(new ArrayBuffer(blockSize))
    this.#used = 0
  }
}

/** Returns the bytes of a typed array. */
export const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
