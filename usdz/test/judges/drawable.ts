import { readFile } from 'node:fs/promises'
import { openUsdz } from '../open-usdz.ts'
import type { OpenUsd } from './start-openusd.ts'

/**
 * Gives OpenUSD a package to draw. The build in use does not support UsdSkel, and its renderer ignores everything below a prim
 * of an unknown type: with a SkelRoot, it draws the composed stage as text, with Xforms instead.
 * @returns the name of the file to draw.
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

/** Printing a stage with many triangles takes long, so this is checked first. */
const hasSkeleton = (usdz: Uint8Array): boolean => openUsdz(usdz).prims('SkelRoot').length > 0
