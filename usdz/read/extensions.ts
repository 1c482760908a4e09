const spzSplats = 'Gaussian splats in SPZ are left out: save them as PLY, which the profile spec carries.'

/**
 * The treatment of each known glTF extension. `handled`: the code that reads it notes what it cannot convert. A text is
 * the note for an extension that is left out.
 */
const treatments = new Map<string, 'handled' | string>([
  ['EXT_mesh_gpu_instancing', 'handled'],
  ['EXT_meshopt_compression', 'handled'],
  ['EXT_texture_avif', 'handled'],
  ['EXT_texture_webp', 'handled'],
  ['KHR_accessor_float16', 'handled'],
  ['KHR_accessor_float64', 'handled'],
  ['KHR_draco_mesh_compression', 'handled'],
  ['KHR_gaussian_splatting', 'handled'],
  ['KHR_materials_anisotropy', 'handled'],
  ['KHR_materials_clearcoat', 'handled'],
  ['KHR_materials_diffuse_transmission', 'handled'],
  ['KHR_materials_dispersion', 'handled'],
  ['KHR_materials_emissive_strength', 'handled'],
  ['KHR_materials_ior', 'handled'],
  ['KHR_materials_iridescence', 'handled'],
  ['KHR_materials_pbrSpecularGlossiness', 'handled'],
  ['KHR_materials_sheen', 'handled'],
  ['KHR_materials_specular', 'handled'],
  ['KHR_materials_transmission', 'handled'],
  ['KHR_materials_unlit', 'handled'],
  ['KHR_materials_variants', 'handled'],
  ['KHR_materials_volume', 'handled'],
  ['KHR_mesh_primitive_restart', 'handled'],
  ['KHR_meshopt_compression', 'handled'],
  ['KHR_mesh_quantization', 'handled'],
  ['KHR_node_visibility', 'handled'],
  ['KHR_texture_basisu', 'handled'],
  ['KHR_texture_transform', 'handled'],
  ['EXT_instance_features', 'Feature ids are left out.'],
  ['EXT_lights_ies', 'Lights are left out: an AR viewer lights the model itself.'],
  ['EXT_lights_image_based', 'Image-based lights are left out: an AR viewer lights the model itself.'],
  ['EXT_mesh_features', 'Feature ids are left out.'],
  ['EXT_mesh_manifold', 'The manifold flag is left out; all triangles are kept.'],
  ['EXT_mesh_primitive_edge_visibility', 'Edge visibility is left out; all triangles are kept.'],
  ['EXT_primitive_voxels', 'Voxels are left out.'],
  ['EXT_structural_metadata', 'Structural metadata is left out.'],
  ['EXT_texture_procedurals_mx_1_39', 'Procedural textures are left out.'],
  ['KHR_animation_pointer', 'Animated properties other than node transforms are left out.'],
  ['KHR_audio_emitter', 'Audio is left out.'],
  ['KHR_audio_graph', 'Audio is left out.'],
  ['KHR_collision_shapes', 'Collision shapes are left out.'],
  ['KHR_gaussian_splatting_compression_spz', spzSplats],
  ['KHR_gaussian_splatting_compression_spz_2', spzSplats],
  ['KHR_implicit_shapes', 'Implicit shapes are left out.'],
  ['KHR_interactivity', 'Interactive behaviour is left out.'],
  ['KHR_lights_punctual', 'Lights are left out: an AR viewer lights the model itself.'],
  ['KHR_materials_subsurface', 'Subsurface scattering is left out.'],
  ['KHR_materials_volume_scatter', 'Volume scattering is left out.'],
  ['KHR_node_hoverability', 'Hover behaviour is left out.'],
  ['KHR_node_selectability', 'Selection behaviour is left out.'],
  ['KHR_physics_rigid_bodies', 'Physics is left out.'],
  // An earlier name of KHR_gaussian_splatting_compression_spz.
  ['KHR_spz_gaussian_splats_compression', spzSplats],
  ['KHR_texture_ktx', 'Textures in KTX2 other than those of KHR_texture_basisu are left out.'],
  ['KHR_texture_procedurals', 'Procedural textures are left out.'],
  ['KHR_texture_video', 'Video textures are left out.'],
  ['KHR_xmp', 'XMP metadata is left out.'],
  ['KHR_xmp_json_ld', 'XMP metadata is left out.'],
  ['MSFT_lod', 'Lower levels of detail are left out: the highest is shown.'],
  ['MSFT_texture_dds', 'DDS images are left out: their fallback images are used.'],
])

/** Returns the required extensions that are unknown: without them the model cannot be read correctly. */
export const unknownRequired = (required: readonly string[]): string[] =>
  required.filter((name) => !treatments.has(name))

/** Returns the note for an extension that is left out; undefined for one that is handled. */
export function extensionNote(name: string): string | undefined {
  const treatment = treatments.get(name)
  if (treatment === 'handled') return undefined
  return treatment ?? `The extension ${name} is unknown and left out.`
}
