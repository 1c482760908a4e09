import { NodeIO } from '@gltf-transform/core'
import { convertToGlb } from '../../index.ts'
import { writePackage } from '../../package/zip.ts'

/** Converts a package of text layers; the first is the root layer. */
export async function composed(layers: Record<string, string>) {
  const files = Object.entries(layers).map(([name, text]) => ({ name, parts: [Buffer.from(`#usda 1.0\n${text}`)] }))
  const { glb, report } = await convertToGlb(writePackage(files))
  const root = (await new NodeIO().readBinary(glb)).getRoot()
  return {
    report,
    codes: report.notes.map(({ code }) => code),
    /** The size of the node of a prim. */
    sizeOf: (name: string) =>
      root
        .listNodes()
        .find((node) => node.getName() === name)!
        .getScale()[0],
    /** The times of the only animated property, in seconds. */
    times: () =>
      [...root.listAnimations()[0]!.listSamplers()[0]!.getInput()!.getArray()!].map((time) => Number(time.toFixed(4))),
    /** The base colour of the only material. */
    red: () => root.listMaterials()[0]!.getBaseColorFactor()[0],
  }
}
/** Metadata of a root layer in metres, with y up. */
export const metres = 'metersPerUnit = 1\n upAxis = "Y"'
