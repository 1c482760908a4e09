import { readFile } from 'node:fs/promises'
import { openUsdz } from '../open-usdz.ts'
import type { OpenUsd } from './start-openusd.ts'

/**
 * Gives OpenUSD a package to draw. The build in use knows no UsdSkel, and its renderer looks at nothing below a prim of a
 * type that is not known: where there is a SkelRoot it draws the composed stage, printed, with Xforms in their place.
 * @returns the name of the file it has to draw.
 */
export async function drawable(module: OpenUsd, file: string, name: string): Promise<string> {
  const bytes = await readFile(file)
  module.FS.createDataFile('/', name, bytes, true, true, true)
  if (!hasSkeleton(bytes)) return name
  const printed = await (await module.UsdStage.Open(name)).ExportToString()
  const plain = name.replace(/z$/, 'a')
  const text = printed.replaceAll('def SkelRoot "', 'def Xform "')
  module.FS.createDataFile('/', plain, new TextEncoder().encode(text), true, true, true)
  return plain
}

/** Printing a stage with many triangles takes long, so it is asked first. */
const hasSkeleton = (usdz: Uint8Array): boolean => openUsdz(usdz).prims('SkelRoot').length > 0
