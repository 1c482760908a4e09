import type { Material as GltfMaterial } from '@gltf-transform/core'
import type { Anisotropy, Iridescence, Sheen, Specular, Transmission, Volume } from '@gltf-transform/extensions'
import type { Notes } from '../../report.ts'
import type { Color, Material } from './material.ts'
import type { ReadTexture } from './shading-models.ts'
import { averageThinFilm } from './thin-film.ts'

type ExtensionReader = (material: Material, source: GltfMaterial, ref: ReadTexture, notes: Notes) => Material

/**
 * Applies the extensions that add to a metallic-roughness surface. UsdPreviewSurface supports none of them: each is
 * approximated and noted. Refraction, scattering and dispersion have no counterpart.
 */
export function applyExtensions(material: Material, source: GltfMaterial, ref: ReadTexture, notes: Notes): Material {
  const layers: ExtensionReader[] = [volume, transmission, sheen, anisotropy, specular, iridescence]
  for (const [extension, code, message] of leftOut) {
    if (source.getExtension(extension)) notes.leftOut(code, message)
  }
  return layers.reduce((made, layer) => layer(made, source, ref, notes), material)
}

const leftOut = [
  ['KHR_materials_dispersion', 'dispersion', 'Dispersion is left out.'],
  [
    'KHR_materials_diffuse_transmission',
    'diffuse_transmission',
    'Diffuse transmission is left out: thin surfaces are lit from the front only.',
  ],
] as const

/** The tint by attenuation depends on the scale of the node, so it is applied to the material of each part. */
const volume: ExtensionReader = (material, source, ref, notes) => {
  const body = source.getExtension<Volume>('KHR_materials_volume')
  if (!body) return material
  const thickness = body.getThicknessFactor()
  const distance = body.getAttenuationDistance()
  const factor = source.getExtension<Transmission>('KHR_materials_transmission')?.getTransmissionFactor() ?? 0
  const share = factor * (material.metallicRoughnessTexture ? 1 : 1 - material.metallic)
  notes.changed('volume', 'Volumes do not refract light; their attenuation colour is baked into the base colour.')
  if (thickness <= 0 || share <= 0 || !(distance > 0) || !Number.isFinite(distance)) return material
  const texture = ref(body.getThicknessTexture(), body.getThicknessTextureInfo())
  const color = body.getAttenuationColor() as Color
  return { ...material, attenuation: { color, depth: thickness / distance, share, ...(texture && { texture }) } }
}

const transmission: ExtensionReader = (material, source, ref, notes) => {
  const glass = source.getExtension<Transmission>('KHR_materials_transmission')
  const factor = glass?.getTransmissionFactor() ?? 0
  // Metals transmit nothing.
  const isMetal = material.metallic === 1 && !material.metallicRoughnessTexture
  if (!glass || factor <= 0 || isMetal) return material
  notes.changed('transmission', 'Transmission is approximated by opacity, without refraction or blur.')
  const texture = ref(glass.getTransmissionTexture(), glass.getTransmissionTextureInfo())
  const cutsAlpha = material.alpha === 'mask'
  return { ...material, alpha: 'blend', transmission: { factor, cutsAlpha, ...(texture && { texture }) } }
}

/** The directional albedo of sheen with medium roughness, averaged over all directions. */
const sheenAlbedo = 0.157

const sheen: ExtensionReader = (material, source, _ref, notes) => {
  const cloth = source.getExtension<Sheen>('KHR_materials_sheen')
  const color = cloth?.getSheenColorFactor() ?? [0, 0, 0]
  if (!cloth || color.every((value) => value === 0)) return material
  if (cloth.getSheenColorTexture()) {
    notes.leftOut('sheen', 'Sheen with a colour texture is left out.')
    return material
  }
  notes.changed('sheen', 'Sheen is approximated by a lighter base colour.')
  const kept = 1 - sheenAlbedo * Math.max(...color)
  const addedColor = color.map((value) => value * sheenAlbedo) as unknown as Color
  return { ...material, baseColor: times(material.baseColor, [kept, kept, kept]), addedColor }
}

/** Uses a round highlight with the mean width along and across the anisotropy direction (KHR_materials_anisotropy). */
const anisotropy: ExtensionReader = (material, source, _ref, notes) => {
  const brushed = source.getExtension<Anisotropy>('KHR_materials_anisotropy')
  const strength = brushed?.getAnisotropyStrength() ?? 0
  if (!brushed || strength === 0) return material
  notes.changed('anisotropy', 'Anisotropic highlights are approximated by round ones.')
  if (material.metallicRoughnessTexture) return material
  const across = material.roughness ** 2
  const along = across + (1 - across) * strength ** 2
  return { ...material, roughness: Math.sqrt((across + along) / 2) }
}

const specular: ExtensionReader = (material, source, ref, notes) => {
  const shine = source.getExtension<Specular>('KHR_materials_specular')
  if (!shine) return material
  const strength = shine.getSpecularFactor()
  const color = shine.getSpecularColorFactor() as Color
  const texture = ref(shine.getSpecularTexture(), shine.getSpecularTextureInfo())
  const colorTexture = ref(shine.getSpecularColorTexture(), shine.getSpecularColorTextureInfo())
  const isPlain = strength === 1 && color.every((value) => value === 1)
  if (isPlain && !texture && !colorTexture) return material
  notes.changed('specular', 'Specular strength and colour are approximated; they do not apply to metals.')
  const layer = { strength, color, ...(texture && { texture }), ...(colorTexture && { colorTexture }) }
  return { ...material, specular: layer }
}

/** The default reflectance of dielectrics at normal incidence. */
const dielectricReflectance: Color = [0.04, 0.04, 0.04]

/** Uses the mean colour of the thin film, independent of the viewing angle. */
const iridescence: ExtensionReader = (material, source, _ref, notes) => {
  const film = source.getExtension<Iridescence>('KHR_materials_iridescence')
  const factor = film?.getIridescenceFactor() ?? 0
  if (!film || factor === 0) return material
  if (film.getIridescenceTexture()) {
    notes.leftOut('iridescence', 'Iridescence with a strength texture is left out.')
    return material
  }
  notes.changed('iridescence', 'Iridescence is approximated by its mean colour.')
  const most = film.getIridescenceThicknessMaximum()
  const thickness = film.getIridescenceThicknessTexture() ? (film.getIridescenceThicknessMinimum() + most) / 2 : most
  const changeOf = (base: Color, share: number) =>
    averageThinFilm(thickness, film.getIridescenceIOR(), base).map(
      (value, i) => 1 + share * (value / (base[i]! || 1) - 1),
    )
  const { strength = 1, color = [1, 1, 1], ...textures } = material.specular ?? {}
  return {
    ...material,
    baseColor: times(material.baseColor, changeOf(material.baseColor, factor * material.metallic)),
    specular: { strength, color: times(color as Color, changeOf(dielectricReflectance, factor)), ...textures },
  }
}

const times = (color: Color, factors: readonly number[]) =>
  color.map((value, i) => value * factors[i]!) as unknown as Color
