/** The parts of WebAssembly that are used here, which Node's types lack (WebAssembly JavaScript Interface, W3C). */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Record<string, unknown>
  }
  class Memory {
    readonly buffer: ArrayBuffer
    /** @param pages of 64 KiB @returns how many there were */
    grow(pages: number): number
  }
}
