import type { GdalModule } from './module.ts'

/** Hands texts to C as a list of strings that ends with NULL (`char **`), for as long as `work` runs. */
export function withStrings<T>(module: GdalModule, texts: readonly string[], work: (list: number) => T): T {
  const list = module._malloc((texts.length + 1) * 4)
  const pointers = texts.map((text, i) => {
    const size = module.lengthBytesUTF8(text) + 1
    const at = module._malloc(size)
    module.stringToUTF8(text, at, size)
    module.setValue(list + i * 4, at, '*')
    return at
  })
  module.setValue(list + texts.length * 4, 0, '*')
  try {
    return work(list)
  } finally {
    for (const at of [...pointers, list]) module._free(at)
  }
}
