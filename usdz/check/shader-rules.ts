import { float4Of, textOf } from './read-values.ts'
import type { Stage, StagePrim } from './stage.ts'
import type { Problem } from './stage-rules.ts'

const shaderIds = /^(UsdPreviewSurface|UsdUVTexture|UsdTransform2d|UsdPrimvarReader_\w+)$/
const imageFile = /\.(jpe?g|png)$/i

/**
 * What AR viewers take for granted of shader networks. Source: `usdchecker --arkit` of OpenUSD (complianceChecker.py).
 * @param files the names of the files in the package.
 */
export function shaderProblems(stage: Stage, files: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = []
  const report = (rule: string, message: string) => problems.push({ rule, message })
  for (const prim of stage.prims.values()) {
    if (prim.type === 'Shader') checkShader(stage, prim, report)
    if (prim.type === 'Shader' || prim.type === 'Material') checkConnections(stage, prim, report)
    for (const { value, path } of prim.properties.values()) {
      const isAsset = path.endsWith('inputs:file')
      const file = isAsset ? textOf(stage.crate, value)?.replace(/^\.\//, '') : undefined
      if (file === undefined) continue
      if (!files.has(file)) report('MissingReferenceChecker', `${path} names ${file}, which is not in the package.`)
      if (!imageFile.test(file)) report('TextureChecker', `${path} names ${file}, which is neither JPEG nor PNG.`)
    }
  }
  return problems
}

type Report = (rule: string, message: string) => void

function checkShader(stage: Stage, prim: StagePrim, report: Report): void {
  const id = textOf(stage.crate, prim.properties.get('info:id')?.value)
  if (!id || !shaderIds.test(id)) report('ARKitShaderChecker', `${prim.path} has the shader id ${id ?? '(none)'}.`)
  if (id !== 'UsdPreviewSurface') return
  const source = prim.properties.get('inputs:normal')?.connections[0]
  const texture = source && stage.prims.get(source.slice(0, source.indexOf('.')))
  if (!texture || textOf(stage.crate, texture.properties.get('info:id')?.value) !== 'UsdUVTexture') return
  const four = (name: string) => float4Of(stage.crate, texture.properties.get(name)?.value)?.map(Math.abs).slice(0, 3)
  const isRaw = textOf(stage.crate, texture.properties.get('inputs:sourceColorSpace')?.value) === 'raw'
  // Scale and bias must map 0..1 to vectors around 0; another strength than 1 scales both alike.
  const scale = four('inputs:scale')
  const bias = four('inputs:bias')
  if (!isRaw || !scale?.every((value, i) => Math.abs(value - 2 * (bias?.[i] ?? 0)) < 1e-6)) {
    report('NormalMapTextureChecker', `${texture.path} is a normal map that is not unpacked from raw values.`)
  }
}

function checkConnections({ prims }: Stage, prim: StagePrim, report: Report): void {
  for (const { path, connections } of prim.properties.values()) {
    if (connections.length > 1) report('ARKitShaderChecker', `${path} has more than one connection.`)
    for (const connection of connections) {
      const dot = connection.indexOf('.')
      const source = prims.get(connection.slice(0, dot))
      if (!source?.properties.has(connection.slice(dot + 1))) {
        report('ARKitShaderChecker', `${path} is connected to ${connection}, which does not exist.`)
      }
    }
  }
}
