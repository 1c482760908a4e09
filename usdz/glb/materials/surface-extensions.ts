import {
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
} from '@gltf-transform/extensions'
import { tint } from '../../textures/images/pixel-edits.ts'
import { noteColorSpace } from './base-color.ts'
import type { MaterialPlan } from './material-writer.ts'
import { plainValue, sampledInput } from './reflection.ts'
import { channelOf } from './texture-store.ts'

type Color = [number, number, number]

/** Writes what glTF has extensions for: clear coat, index of refraction and specular colour. */
export async function writeExtensions(plan: MaterialPlan): Promise<void> {
  await writeClearcoat(plan)
  await writeSpecular(plan)
  const displacement = plan.input('displacement')
  if (displacement && !(displacement.kind === 'value' && displacement.value[0] === 0)) {
    plan.notes.leftOut('displacement', 'Displacement is left out.')
  }
}

/** Writes emission, which may exceed 1. */
export async function writeEmission(plan: MaterialPlan): Promise<void> {
  const { material, document } = plan
  const input = plan.input('emissiveColor')
  if (!input) return
  if (input.kind === 'primvar') {
    plan.notes.leftOut('emissive_colors', 'Emission of the colours of vertices is left out.')
    return
  }
  const found = await sampledInput(plan, 'emissiveColor')
  const isBiased = found?.texture.bias.slice(0, 3).some((value) => value !== 0) ?? false
  const value = found
    ? found.texture.scale
    : input.kind === 'value'
      ? input.value
      : input.kind === 'texture'
        ? input.texture.fallback
        : []
  const color = [0, 1, 2].map((k) => Math.max(0, value[k] ?? value[0] ?? 0)) as Color
  if (found && isBiased) {
    const [r, g, b] = found.texture.bias
    color.fill(1)
    await sampleEmission(plan, found, tint(found.texture.scale.slice(0, 3) as Color, 1, [r!, g!, b!]))
  } else if (found) await sampleEmission(plan, found)
  const strength = Math.max(1, ...color)
  material.setEmissiveFactor(color.map((each) => each / strength) as Color)
  if (strength > 1) {
    const extension = document.createExtension(KHRMaterialsEmissiveStrength).createEmissiveStrength()
    material.setExtension('KHR_materials_emissive_strength', extension.setEmissiveStrength(strength))
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof sampledInput>>>

async function sampleEmission(plan: MaterialPlan, { texture, image }: Found, edit?: ReturnType<typeof tint>) {
  noteColorSpace(plan, texture)
  const made = await plan.store.texture(image, edit)
  if (!made) return
  plan.material.setEmissiveTexture(made)
  plan.sample(plan.material.getEmissiveTextureInfo(), texture)
}

async function writeClearcoat(plan: MaterialPlan): Promise<void> {
  const { document, material, store } = plan
  const [coat, rough] = [await sampledInput(plan, 'clearcoat'), await sampledInput(plan, 'clearcoatRoughness')]
  const strength = plainValue(plan, 'clearcoat', 0)
  if (!coat && strength === 0) return
  const clearcoat = document.createExtension(KHRMaterialsClearcoat).createClearcoat()
  clearcoat.setClearcoatFactor(coat ? 1 : strength)
  clearcoat.setClearcoatRoughnessFactor(rough ? 1 : plainValue(plan, 'clearcoatRoughness', 0.01))
  if (coat) {
    const source = channelOf(coat.texture, coat.image)
    clearcoat.setClearcoatTexture((await store.packed(`${coat.image.name}_clearcoat`, [source])) ?? null)
    plan.sample(clearcoat.getClearcoatTextureInfo(), coat.texture)
  }
  if (rough) {
    const source = channelOf(rough.texture, rough.image)
    const made = await store.packed(`${rough.image.name}_clearcoat_roughness`, [undefined, source])
    clearcoat.setClearcoatRoughnessTexture(made ?? null)
    plan.sample(clearcoat.getClearcoatRoughnessTextureInfo(), rough.texture)
  }
  material.setExtension('KHR_materials_clearcoat', clearcoat)
}

const plainIor = 1.5
/** Reflectance at normal incidence of a dielectric with the index of refraction 1.5. */
const plainReflectance = 0.04

async function writeSpecular(plan: MaterialPlan): Promise<void> {
  const { document, material } = plan
  if (plan.constant('useSpecularWorkflow')?.[0] !== 1) {
    const ior = plan.constant('ior')?.[0] ?? plainIor
    if (ior !== plainIor && ior >= 1) {
      material.setExtension('KHR_materials_ior', document.createExtension(KHRMaterialsIOR).createIOR().setIOR(ior))
    }
    return
  }
  const found = await sampledInput(plan, 'specularColor')
  const value = found ? found.texture.scale : (plan.constant('specularColor') ?? [0, 0, 0])
  const color = [0, 1, 2].map((k) => Math.max(0, (value[k] ?? value[0] ?? 0) / plainReflectance)) as Color
  const specular = document.createExtension(KHRMaterialsSpecular).createSpecular().setSpecularColorFactor(color)
  const made = found && (await plan.store.texture(found.image))
  if (made) {
    specular.setSpecularColorTexture(made)
    plan.sample(specular.getSpecularColorTextureInfo(), found.texture)
  }
  material.setExtension('KHR_materials_specular', specular)
}
