/**
 * What becomes of each glTF extension that is known here. `handled` needs no word of its own: the code that reads it
 * notes whatever it cannot carry over. A text is what the report says when a model uses the extension and it is left out.
 */
const known = new Map<string, 'handled' | string>([
  ['EXT_mesh_gpu_instancing', 'handled'],
  ['EXT_meshopt_compression', 'handled'],
  ['EXT_texture_avif', 'handled'],
  ['EXT_texture_webp', 'handled'],
  ['KHR_accessor_float16', 'handled'],
  ['KHR_accessor_float64', 'handled'],
  ['KHR_draco_mesh_compression', 'handled'],
  ['KHR_materials_clearcoat', 'handled'],
  ['KHR_materials_emissive_strength', 'handled'],
  ['KHR_materials_ior', 'handled'],
  ['KHR_materials_pbrSpecularGlossiness', 'handled'],
  ['KHR_materials_unlit', 'handled'],
  ['KHR_mesh_primitive_restart', 'handled'],
  ['KHR_meshopt_compression', 'handled'],
  ['KHR_mesh_quantization', 'handled'],
  ['KHR_node_visibility', 'handled'],
  ['KHR_texture_basisu', 'handled'],
  ['KHR_texture_transform', 'handled'],
  ['KHR_animation_pointer', 'Animated properties other than node transforms are left out.'],
  ['KHR_lights_punctual', 'Lights are left out: an AR viewer lights the model itself.'],
  ['KHR_materials_anisotropy', 'Anisotropic reflection is left out.'],
  ['KHR_materials_diffuse_transmission', 'Light shining through thin surfaces is left out.'],
  ['KHR_materials_dispersion', 'Dispersion is left out.'],
  ['KHR_materials_iridescence', 'Iridescence is left out.'],
  ['KHR_materials_sheen', 'The sheen of cloth is left out.'],
  ['KHR_materials_specular', 'Specular strength and tint are left out.'],
  ['KHR_materials_transmission', 'Transmission (clear glass) is left out: the surface is shown opaque.'],
  ['KHR_materials_variants', 'Of the material variants only the default is written.'],
  ['KHR_materials_volume', 'Volume attenuation is left out.'],
  ['KHR_xmp_json_ld', 'XMP metadata is left out.'],
  ['EXT_mesh_features', 'Feature ids are left out.'],
  ['EXT_structural_metadata', 'Structural metadata is left out.'],
  ['EXT_lights_image_based', 'Image-based lights are left out: an AR viewer lights the model itself.'],
])

/** The required extensions that nothing is known about: without them the model cannot be read as its author meant it. */
export const unknownRequired = (required: readonly string[]): string[] => required.filter((name) => !known.has(name))

/** One sentence for each used extension that is left out; undefined for one that is handled. */
export function extensionNote(name: string): string | undefined {
  const treatment = known.get(name)
  if (treatment === 'handled') return undefined
  return treatment ?? `The extension ${name} is not known and is left out.`
}
