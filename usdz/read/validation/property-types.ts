import { malformed } from '../../errors.ts'
import { elementLabel } from '../element-label.ts'
import { isCount, isObject, type ValidatedGltf } from '../json.ts'

/** Tells whether a member has the required type. Absent members are not tested. */
type Rule = (value: unknown) => boolean
type Shape = { [member: string]: Rule }

const text: Rule = (value) => typeof value === 'string'
const flag: Rule = (value) => typeof value === 'boolean'
const number: Rule = (value) => Number.isFinite(value)
const numbers =
  (length?: number): Rule =>
  (value) =>
    Array.isArray(value) && (length === undefined || value.length === length) && value.every(Number.isFinite)
const shape =
  (members: Shape): Rule =>
  (value) =>
    isObject(value) && Object.entries(members).every(([name, rule]) => value[name] === undefined || rule(value[name]))

const textureTransform = shape({ offset: numbers(2), rotation: number, scale: numbers(2), texCoord: isCount })
const texture: Rule = (value) =>
  shape({ index: isCount, texCoord: isCount, extensions: shape({ KHR_texture_transform: textureTransform }) })(value) &&
  isObject(value) &&
  value.index !== undefined
const normalTexture: Rule = (value) => texture(value) && shape({ scale: number, strength: number })(value)

const metallicRoughness = shape({
  baseColorFactor: numbers(4),
  metallicFactor: number,
  roughnessFactor: number,
  baseColorTexture: texture,
  metallicRoughnessTexture: texture,
})
const materialExtensions = shape({
  KHR_materials_anisotropy: shape({ anisotropyStrength: number, anisotropyTexture: texture }),
  KHR_materials_clearcoat: shape({
    clearcoatFactor: number,
    clearcoatRoughnessFactor: number,
    clearcoatTexture: texture,
    clearcoatRoughnessTexture: texture,
    clearcoatNormalTexture: normalTexture,
  }),
  KHR_materials_emissive_strength: shape({ emissiveStrength: number }),
  KHR_materials_ior: shape({ ior: number }),
  KHR_materials_pbrSpecularGlossiness: shape({
    diffuseFactor: numbers(4),
    specularFactor: numbers(3),
    glossinessFactor: number,
    diffuseTexture: texture,
    specularGlossinessTexture: texture,
  }),
  KHR_materials_sheen: shape({ sheenColorFactor: numbers(3), sheenColorTexture: texture }),
  KHR_materials_specular: shape({
    specularFactor: number,
    specularColorFactor: numbers(3),
    specularTexture: texture,
    specularColorTexture: texture,
  }),
  KHR_materials_transmission: shape({ transmissionFactor: number, transmissionTexture: texture }),
  KHR_materials_volume: shape({
    thicknessFactor: number,
    attenuationDistance: number,
    attenuationColor: numbers(3),
    thicknessTexture: texture,
  }),
})

const rules: { list: keyof ValidatedGltf; what: string; members: Shape }[] = [
  {
    list: 'nodes',
    what: 'node',
    members: {
      name: text,
      translation: numbers(3),
      rotation: numbers(4),
      scale: numbers(3),
      matrix: numbers(16),
      weights: numbers(),
      mesh: isCount,
      skin: isCount,
    },
  },
  { list: 'meshes', what: 'mesh', members: { name: text, weights: numbers() } },
  {
    list: 'materials',
    what: 'material',
    members: {
      name: text,
      alphaMode: text,
      alphaCutoff: number,
      doubleSided: flag,
      emissiveFactor: numbers(3),
      pbrMetallicRoughness: metallicRoughness,
      normalTexture,
      occlusionTexture: normalTexture,
      emissiveTexture: texture,
      extensions: materialExtensions,
    },
  },
  { list: 'images', what: 'image', members: { name: text, uri: text, mimeType: text, bufferView: isCount } },
  { list: 'textures', what: 'texture', members: { name: text, source: isCount, sampler: isCount } },
]

/**
 * Validates the types of members used in computations or written as text.
 * @throws ConversionError naming the member.
 */
export function validatePropertyTypes(json: ValidatedGltf): void {
  for (const { list, what, members } of rules) {
    for (const [index, item] of (json[list] as Record<string, unknown>[]).entries()) {
      for (const [name, rule] of Object.entries(members)) {
        if (item[name] === undefined || rule(item[name])) continue
        throw malformed(`${elementLabel(what, index, item.name)}: its ${name} cannot be read.`)
      }
    }
  }
}
