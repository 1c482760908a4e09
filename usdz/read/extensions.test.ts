import { expect, test } from 'vitest'
import { extensionNote, unknownRequired } from './extensions.ts'

/** The register of glTF 2.0 extensions: ratified by Khronos, in development, and shared by several vendors. */
const register = `
  KHR_animation_pointer KHR_draco_mesh_compression KHR_gaussian_splatting KHR_interactivity KHR_lights_punctual
  KHR_materials_anisotropy KHR_materials_clearcoat KHR_materials_diffuse_transmission KHR_materials_dispersion
  KHR_materials_emissive_strength KHR_materials_ior KHR_materials_iridescence KHR_materials_sheen
  KHR_materials_specular KHR_materials_transmission KHR_materials_unlit KHR_materials_variants KHR_materials_volume
  KHR_mesh_quantization KHR_meshopt_compression KHR_node_hoverability KHR_node_selectability KHR_node_visibility
  KHR_texture_basisu KHR_texture_transform KHR_xmp_json_ld KHR_materials_pbrSpecularGlossiness KHR_xmp
  KHR_accessor_float64 KHR_audio_graph KHR_collision_shapes KHR_materials_subsurface KHR_physics_rigid_bodies
  KHR_texture_procedurals KHR_texture_video EXT_texture_procedurals_mx_1_39 EXT_lights_ies EXT_lights_image_based
  EXT_mesh_gpu_instancing EXT_mesh_manifold EXT_meshopt_compression EXT_texture_webp EXT_texture_avif`
  .trim()
  .split(/\s+/)

test('every registered extension is handled or has a note, and may be required', () => {
  expect(unknownRequired(register)).toEqual([])
  for (const name of register) expect(extensionNote(name) ?? '').not.toContain('not known')
})

test('any other extension is reported, and refused if required', () => {
  expect(extensionNote('ACME_gizmo')).toContain('ACME_gizmo')
  expect(unknownRequired(['KHR_texture_transform', 'ACME_gizmo'])).toEqual(['ACME_gizmo'])
})

const splats = [
  'KHR_gaussian_splatting_compression_spz',
  'KHR_gaussian_splatting_compression_spz_2',
  'KHR_spz_gaussian_splats_compression',
]
test.each(splats)('the note for %s says how to keep the splats, also where it is required', (name) => {
  expect(extensionNote(name)).toContain('save them as PLY')
  expect(unknownRequired([name])).toEqual([])
})
