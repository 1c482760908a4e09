/**
 * What becomes of each glTF extension that is known here. `handled` needs no word of its own: the code that reads it
 * notes whatever it cannot carry over. A text is what the report says when a model uses the extension and it is left out.
 */
const treatments = new Map<string, 'handled' | string>([
  ['EXT_mesh_gpu_instancing', 'handled'],
  ['EXT_meshopt_compression', 'handled'],
  ['EXT_texture_avif', 'handled'],
  ['EXT_texture_webp', 'handled'],
  ['KHR_accessor_float16', 'handled'],
  ['KHR_accessor_float64', 'handled'],
  ['KHR_draco_mesh_compression', 'handled'],
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
  ['EXT_mesh_manifold', 'That a mesh is closed is not written down; its triangles are all there.'],
  ['EXT_mesh_primitive_edge_visibility', 'Marked edges are left out; the triangles are all there.'],
  ['EXT_primitive_voxels', 'Voxels are left out.'],
  ['EXT_structural_metadata', 'Structural metadata is left out.'],
  ['EXT_texture_procedurals_mx_1_39', 'Procedural textures are left out.'],
  ['KHR_animation_pointer', 'Animated properties other than node transforms are left out.'],
  ['KHR_audio_emitter', 'Sound is left out.'],
  ['KHR_audio_graph', 'Sound is left out.'],
  ['KHR_collision_shapes', 'Shapes for collisions are left out.'],
  ['KHR_gaussian_splatting', 'Gaussian splats are left out: an AR viewer draws triangles.'],
  ['KHR_gaussian_splatting_compression_spz_2', 'Gaussian splats are left out: an AR viewer draws triangles.'],
  ['KHR_implicit_shapes', 'Implicit shapes are left out.'],
  ['KHR_interactivity', 'Behaviour is left out.'],
  ['KHR_lights_punctual', 'Lights are left out: an AR viewer lights the model itself.'],
  ['KHR_materials_subsurface', 'Light scattered below the surface is left out.'],
  ['KHR_materials_volume_scatter', 'Light scattered inside a volume is left out.'],
  ['KHR_node_hoverability', 'What happens under a pointer is left out.'],
  ['KHR_node_selectability', 'What can be selected is left out.'],
  ['KHR_physics_rigid_bodies', 'Physics is left out.'],
  ['KHR_texture_procedurals', 'Procedural textures are left out.'],
  ['KHR_texture_video', 'Video textures are left out.'],
  ['KHR_xmp', 'XMP metadata is left out.'],
  ['KHR_xmp_json_ld', 'XMP metadata is left out.'],
  ['MSFT_lod', 'Coarser levels of detail are left out: the finest is shown.'],
  ['MSFT_texture_dds', 'DDS images are left out: those given beside them are taken.'],
])

/** The required extensions that nothing is known about: without them the model cannot be read as its author meant it. */
export const unknownRequired = (required: readonly string[]): string[] =>
  required.filter((name) => !treatments.has(name))

/** One sentence for each used extension that is left out; undefined for one that is handled. */
export function extensionNote(name: string): string | undefined {
  const treatment = treatments.get(name)
  if (treatment === 'handled') return undefined
  return treatment ?? `The extension ${name} is not known and is left out.`
}
