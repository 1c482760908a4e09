import { vectorOf } from '../../layers/read-values.ts'
import { type CheckedPrim, type CheckedProperty, type Subject, textIn } from '../subject/subject.ts'
import type { Report } from './rules.ts'

const shaderIds = /^(UsdPreviewSurface|UsdUVTexture|UsdTransform2d|UsdPrimvarReader_\w+|ND_\w+)$/

/**
 * Checks shader networks against the assumptions of AR viewers. Source: `usdchecker --arkit` of OpenUSD
 * (complianceChecker.py).
 */
export function checkShaders(stage: Subject, report: Report): void {
  for (const prim of stage.prims) {
    if (prim.type === 'Shader') checkShader(stage, prim, report)
    if (prim.type === 'Shader' || prim.type === 'Material') {
      for (const property of prim.own.values()) checkConnections(stage, property, report)
    }
  }
}

const text = (prim: CheckedPrim, name: string) => textIn(prim.properties.get(name))

function checkShader(stage: Subject, prim: CheckedPrim, report: Report): void {
  const source = text(prim, 'info:implementationSource') ?? 'id'
  if (source !== 'id') report('ARKitShaderChecker', `${prim.path} is implemented by ${source}, not by its id.`)
  const id = text(prim, 'info:id')
  if (!id || !shaderIds.test(id)) report('ARKitShaderChecker', `${prim.path} has the shader id ${id ?? '(none)'}.`)
  if (id === 'UsdPreviewSurface') checkNormalMap(stage, prim, report)
}

function checkNormalMap(stage: Subject, surface: CheckedPrim, report: Report): void {
  const rule = 'NormalMapTextureChecker'
  const normal = surface.properties.get('inputs:normal')
  const texture = normal && stage.connectionsOf(normal)[0]?.prim
  if (!texture || text(texture, 'info:id') !== 'UsdUVTexture') return
  if (!text(texture, 'inputs:file')) report(rule, `${texture.path} is a normal map without a file.`)
  const colorSpace = text(texture, 'inputs:sourceColorSpace')
  if (colorSpace !== 'raw')
    report(rule, `${texture.path} reads a normal map as ${colorSpace ?? 'any'} values, not raw.`)
  const three = (name: string) => {
    const property = texture.properties.get(name)
    return property && vectorOf(property.crate, property.value)?.slice(0, 3)
  }
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

function checkConnections(stage: Subject, property: CheckedProperty, report: Report): void {
  const rule = 'ARKitShaderChecker'
  const connections = stage.connectionsOf(property)
  if (connections.length > 1) report(rule, `${property.path} has more than one connection.`)
  for (const target of connections) {
    const type = target.prim?.type
    if (!target.isProperty) report(rule, `${property.path} is connected to ${target.path}, which does not exist.`)
    else if (type !== 'Shader' && type !== 'Material' && type !== 'NodeGraph') {
      report(rule, `${property.path} is connected to ${target.path}, which is not in a Shader or Material.`)
    }
  }
}
