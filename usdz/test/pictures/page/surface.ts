import { BufferAttribute, DoubleSide, Matrix3, MeshBasicMaterial, MeshPhysicalMaterial, type Texture } from 'three'
import { type StageMesh, spread } from './meshes.ts'
import type { Stage } from './stage.ts'
import type { TextureSource } from './textures.ts'

type Sampled = { texture: Texture; file: string; channel: string; scale: ArrayLike<number>; bias: ArrayLike<number> }
type Color = ArrayLike<number>

/** Gives meshes their bound surfaces by the UsdPreviewSurface specification; unbound ones use their displayColor. */
export function surfaces(stage: Stage, textures: TextureSource) {
  return async (mesh: StageMesh): Promise<void> => {
    const material = new MeshPhysicalMaterial()
    if (stage.value(`${mesh.path}.doubleSided`)) material.side = DoubleSide
    mesh.object.material = material
    const [bound] = stage.targets(`${mesh.path}.material:binding`)
    const surface = bound && stage.connection(`${bound}.outputs:surface`)?.prim
    if (surface) {
      await preview(material, surface, stage, textures, primvarReader(mesh, stage))
      // Without light, emission is all that is left.
      const isDark = stage.value(`${surface}.inputs:occlusion`) === 0
      const shown = isDark ? emissionAlone(material) : material
      mesh.object.material = shown
      colorsOfVertices(shown, surface, mesh, stage)
    } else display(material, mesh, stage)
  }
}

function emissionAlone(material: MeshPhysicalMaterial): MeshBasicMaterial {
  const { emissive, emissiveMap, alphaMap, opacity, alphaTest, transparent, depthWrite, side } = material
  return new MeshBasicMaterial({
    color: emissive,
    map: emissiveMap,
    alphaMap,
    opacity,
    alphaTest,
    transparent,
    depthWrite,
    side,
  })
}

/** Without a material: the vertex colours. */
function display(material: MeshPhysicalMaterial, mesh: StageMesh, stage: Stage): void {
  const colors = stage.value<Color>(`${mesh.path}.primvars:displayColor`)
  if (!colors) return
  mesh.object.geometry.setAttribute('color', spread(colors, 3, mesh))
  material.vertexColors = true
}

/**
 * UsdPrimvarReader_float3 and _float at colour and opacity: nothing multiplies them, so the constant beside them must be 1.
 * Emissive colours are drawn unlit.
 */
function colorsOfVertices(
  material: MeshBasicMaterial | MeshPhysicalMaterial,
  surface: string,
  mesh: StageMesh,
  stage: Stage,
): void {
  const read = (input: string, size: number) => {
    const reader = stage.connection(`${surface}.inputs:${input}`)?.prim
    if (!reader || !stage.value<string>(`${reader}.info:id`)?.startsWith('UsdPrimvarReader_float')) return undefined
    const values = stage.value<Color>(`${mesh.path}.primvars:${stage.value<string>(`${reader}.inputs:varname`)}`)
    return values && spread(values, size, mesh)
  }
  const [diffuse, glow, alpha] = [read('diffuseColor', 3), read('emissiveColor', 3), read('opacity', 1)]
  const color = diffuse ?? glow
  if (!color && !alpha) return
  const corners = mesh.indices.length
  const out = new Float32Array(corners * 4).fill(1)
  for (let i = 0; i < corners; i++) {
    if (color) for (let k = 0; k < 3; k++) out[i * 4 + k] = color.array[i * 3 + k]!
    if (alpha) out[i * 4 + 3] = alpha.array[i]!
  }
  mesh.object.geometry.setAttribute('color', new BufferAttribute(out, 4))
  if (color) material.color.set(0xffffff)
  if (alpha && material.alphaTest === 0) Object.assign(material, { transparent: true, depthWrite: false })
  material.vertexColors = true
  if (glow && !diffuse) mesh.object.material = new MeshBasicMaterial({ vertexColors: true, side: material.side })
}

/** Puts a primvar into a coordinate set of the geometry, once. @returns the number of the set. */
function primvarReader(mesh: StageMesh, stage: Stage) {
  const sets: string[] = []
  for (const set of ['uv', 'uv1', 'uv2', 'uv3']) mesh.object.geometry.deleteAttribute(set)
  return (name: string): number => {
    if (sets.includes(name)) return sets.indexOf(name)
    const values = stage.value<ArrayLike<number>>(`${mesh.path}.primvars:${name}`)
    if (values) {
      mesh.object.geometry.setAttribute(sets.length === 0 ? 'uv' : `uv${sets.length}`, spread(values, 2, mesh))
    }
    return sets.push(name) - 1
  }
}

async function preview(
  material: MeshPhysicalMaterial,
  surface: string,
  stage: Stage,
  textures: TextureSource,
  setOf: (primvar: string) => number,
): Promise<void> {
  const constant = <T>(name: string, fallback: T): T => stage.value<T>(`${surface}.inputs:${name}`) ?? fallback
  const sampled = async (name: string, srgb: boolean): Promise<Sampled | undefined> => {
    const source = stage.connection(`${surface}.inputs:${name}`)
    if (!source || stage.value(`${source.prim}.info:id`) !== 'UsdUVTexture') return undefined
    const input = <T>(key: string) => stage.value<T>(`${source.prim}.inputs:${key}`)
    const file = input<string>('file')!.replaceAll('@', '')
    const coded = input<string>('sourceColorSpace') ?? 'auto'
    const isColor = coded === 'sRGB' || (coded === 'auto' && srgb)
    const texture = await textures.load(file, isColor, input('wrapS'), input('wrapT'))
    coordinates(texture, source.prim, stage, setOf)
    const channel = source.property.slice('outputs:'.length)
    return { texture, file, channel, scale: input('scale') ?? [1, 1, 1, 1], bias: input('bias') ?? [0, 0, 0, 0] }
  }
  const color = async (name: string, fallback: Color) => {
    const found = await sampled(name, true)
    return { map: found, value: found ? found.scale : constant(name, fallback) }
  }
  /** A number, or a texture with it in the channel that the renderer uses. */
  const number = async (name: string, fallback: number, looksAt: string) => {
    const found = await sampled(name, false)
    if (!found) return { value: constant(name, fallback) }
    const channel = 'rgba'.indexOf(found.channel)
    const [scale, bias] = [found.scale[channel]!, found.bias[channel]!]
    if (found.channel === looksAt && bias === 0) return { map: found.texture, value: scale }
    const picked = textures.pick(found.texture, { channel, scale, bias })
    picked.channel = found.texture.channel
    picked.matrixAutoUpdate = false
    picked.matrix.copy(found.texture.matrix)
    return { map: picked, value: 1 }
  }

  const diffuse = await color('diffuseColor', [0.18, 0.18, 0.18])
  const emissive = await color('emissiveColor', [0, 0, 0])
  const [roughness, metallic] = [await number('roughness', 0.5, 'g'), await number('metallic', 0, 'b')]
  const occlusion = await number('occlusion', 1, 'r')
  const [coat, coatRoughness] = [await number('clearcoat', 0, 'r'), await number('clearcoatRoughness', 0.01, 'g')]
  const normal = await sampled('normal', false)
  material.color.fromArray(Array.from(diffuse.value))
  material.emissive.fromArray(Array.from(emissive.value))
  Object.assign(material, {
    map: diffuse.map?.texture ?? null,
    emissiveMap: emissive.map?.texture ?? null,
    roughness: roughness.value,
    roughnessMap: roughness.map ?? null,
    metalness: metallic.value,
    metalnessMap: metallic.map ?? null,
    aoMap: occlusion.map ?? null,
    aoMapIntensity: occlusion.value,
    clearcoat: coat.value,
    clearcoatMap: coat.map ?? null,
    clearcoatRoughness: coatRoughness.value,
    clearcoatRoughnessMap: coatRoughness.map ?? null,
    normalMap: normal?.texture ?? null,
    ior: constant('ior', 1.5),
  })
  if (normal) material.normalScale.set(normal.scale[0]! / 2, normal.scale[1]! / 2)
  if (constant('useSpecularWorkflow', 0)) await specular(material, await color('specularColor', [0, 0, 0]))

  const threshold = constant('opacityThreshold', 0)
  const opacity = await sampled('opacity', false)
  if (opacity && opacity.file === diffuse.map?.file && opacity.channel === 'a') material.opacity = opacity.scale[3]!
  else if (opacity) {
    const found = await number('opacity', 1, 'g')
    Object.assign(material, { alphaMap: found.map, opacity: found.value })
  } else material.opacity = constant('opacity', 1)
  if (threshold > 0) material.alphaTest = threshold
  else if (opacity || material.opacity < 1) Object.assign(material, { transparent: true, depthWrite: false })
}

/** Reflectance at normal incidence is specularColor: an equivalent index of refraction, times a colour. */
async function specular(
  material: MeshPhysicalMaterial,
  { map, value }: { map: Sampled | undefined; value: Color },
): Promise<void> {
  const largest = Math.min(0.98, map ? 0.98 : Math.max(value[0]!, value[1]!, value[2]!))
  const root = Math.sqrt(largest)
  material.metalness = 0
  material.ior = (1 + root) / (1 - root)
  material.specularColor.fromArray(Array.from(value, (part) => (largest > 0 ? part / largest : 0)))
  material.specularColorMap = map?.texture ?? null
}

/** UsdPrimvarReader_float2, with an optional UsdTransform2d: scaled, rotated (degrees), translated. */
function coordinates(texture: Texture, prim: string, stage: Stage, setOf: (primvar: string) => number): void {
  let reader = stage.connection(`${prim}.inputs:st`)?.prim
  if (!reader) return
  texture.matrixAutoUpdate = false
  if (stage.value(`${reader}.info:id`) === 'UsdTransform2d') {
    const input = <T>(key: string, fallback: T) => stage.value<T>(`${reader}.inputs:${key}`) ?? fallback
    const angle = (input('rotation', 0) * Math.PI) / 180
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    const [[sx, sy], [tx, ty]] = [input('scale', [1, 1]), input('translation', [0, 0])] as [number[], number[]]
    texture.matrix = new Matrix3().set(cos * sx!, -sin * sy!, tx!, sin * sx!, cos * sy!, ty!, 0, 0, 1)
    reader = stage.connection(`${reader}.inputs:in`)!.prim
  }
  texture.channel = setOf(stage.value<string>(`${reader}.inputs:varname`)!)
}
