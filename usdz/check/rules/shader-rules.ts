import { textOf, vectorOf } from '../reader/read-values.ts'
import type { Stage, StagePrim, StageProperty } from '../reader/stage.ts'
import type { Report } from './rules.ts'

const shaderIds = /^(UsdPreviewSurface|UsdUVTexture|UsdTransform2d|UsdPrimvarReader_\w+|ND_\w+)$/

/**
 * Checks shader networks against the assumptions of AR viewers. Source: `usdchecker --arkit` of OpenUSD
 * (complianceChecker.py).
 */
export function checkShaders(stage: Stage, report: Report): void {
  for (const prim of stage.prims) {
    if (prim.type === 'Shader') checkShader(stage, prim, report)
    if (prim.type === 'Shader' || prim.type === 'Material') {
      for (const property of prim.own.values()) checkConnections(stage, property, report)
    }
  }
}

const text = ({ crate }: Stage, prim: StagePrim, name: string) => textOf(crate, prim.properties.get(name)?.value)

function checkShader(stage: Stage, prim: StagePrim, report: Report): void {
  const source = text(stage, prim, 'info:implementationSource') ?? 'id'
  if (source !== 'id') report('ARKitShaderChecker', `${prim.path} is implemented by ${source}, not by its id.`)
  const id = text(stage, prim, 'info:id')
  if (!id || !shaderIds.test(id)) report('ARKitShaderChecker', `${prim.path} has the shader id ${id ?? '(none)'}.`)
  if (id === 'UsdPreviewSurface') checkNormalMap(stage, prim, report)
}

function checkNormalMap(stage: Stage, surface: StagePrim, report: Report): void {
  const rule = 'NormalMapTextureChecker'
  const source = surface.properties.get('inputs:normal')?.connections[0]
  const texture = source === undefined ? undefined : stage.primAt(stage.crate.paths.parent(source))
  if (!texture || text(stage, texture, 'info:id') !== 'UsdUVTexture') return
  if (!text(stage, texture, 'inputs:file')) report(rule, `${texture.path} is a normal map without a file.`)
  const colorSpace = text(stage, texture, 'inputs:sourceColorSpace')
  if (colorSpace !== 'raw')
    report(rule, `${texture.path} reads a normal map as ${colorSpace ?? 'any'} values, not raw.`)
  const three = (name: string) => vectorOf(stage.crate, texture.properties.get(name)?.value)?.slice(0, 3)
  const scale = three('inputs:scale')
  const bias = three('inputs:bias')
  if (!scale || !bias) {
    report(rule, `${texture.path} does not unpack its normal map.`)
    return
  }
  const isStandard = scale.every((value) => value === 2) && bias.every((value) => value === -1)
  if (isStandard) return
  // Another normal strength is valid, but viewers are known to ignore it.
  const isCentred = scale.every((value, i) => Math.abs(value + 2 * bias[i]!) < 1e-6)
  report(rule, `${texture.path} unpacks its normal map by ${scale} and ${bias}.`, isCentred ? 'warning' : 'error')
}

function checkConnections(stage: Stage, property: StageProperty, report: Report): void {
  const rule = 'ARKitShaderChecker'
  const { connections } = property
  if (connections.length > 1) report(rule, `${property.path} has more than one connection.`)
  for (const connection of connections) {
    const { paths } = stage.crate
    const owner = stage.primAt(paths.parent(connection))
    if (!stage.propertyAt(connection)) {
      report(rule, `${property.path} is connected to ${paths.text(connection)}, which does not exist.`)
    } else if (owner?.type !== 'Shader' && owner?.type !== 'Material' && owner?.type !== 'NodeGraph') {
      report(rule, `${property.path} is connected to ${paths.text(connection)}, which is not in a Shader or Material.`)
    }
  }
}
