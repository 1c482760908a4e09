import { type Crate, readCrate } from '../check/read-crate.ts'
import { floatsOf, integersOf, numberOf, pathsOf, textOf, tokensOf } from '../check/read-values.ts'
import { readZip } from '../check/read-zip.ts'
import { type StagePrim, stageOf } from '../check/stage.ts'

/** A package opened for looking into: its files, its prims and the values of their attributes ("/Root/Box.points"). */
export function openUsdz(usdz: Uint8Array) {
  const files = readZip(usdz)
  const stage = stageOf(readCrate(files[0]!.data))
  const read = <T>(
    path: string,
    decode: (crate: Crate, rep: NonNullable<ReturnType<typeof repOf>>) => T | undefined,
  ) => {
    const rep = repOf(path)
    return rep && decode(stage.crate, rep)
  }
  const property = (path: string) => {
    const dot = path.indexOf('.')
    return stage.prims.get(path.slice(0, dot))?.properties.get(path.slice(dot + 1))
  }
  const repOf = (path: string) => property(path)?.value
  return {
    files,
    stage,
    prims: (type: string): StagePrim[] => [...stage.prims.values()].filter((prim) => prim.type === type),
    text: (path: string) => read(path, textOf),
    number: (path: string) => read(path, numberOf),
    integers: (path: string) => read(path, integersOf),
    floats: (path: string) => read(path, floatsOf),
    tokens: (path: string) => read(path, tokensOf),
    paths: (path: string) => read(path, pathsOf),
    connection: (path: string) => property(path)?.connections[0],
    target: (path: string) => property(path)?.targets[0],
    matrix: (path: string) => {
      const rep = repOf(path)
      if (!rep) return undefined
      const { bytes } = stage.crate
      const view = new DataView(bytes.buffer, bytes.byteOffset + rep.payload, 128)
      return Array.from({ length: 16 }, (_, i) => view.getFloat64(i * 8, true))
    },
  }
}
