import type { RuleName } from './rules.ts'

/** How to repair a package that breaks a rule; `usdz check --fix` does what begins with "--fix". */
export const repairs: Record<RuleName, string> = {
  Archive: 'Pack the files again with relative paths and without duplicates, or run the check with --fix.',
  ByteAlignmentChecker: '--fix aligns the files; usdzip does it too.',
  CompressionChecker: '--fix stores the files without compression; encrypted ones must be packed again.',
  ARKitFileExtensionChecker:
    '--fix renames .jpeg to .jpg; convert other textures to JPEG or PNG and remove other files.',
  ARKitRootLayerChecker:
    '--fix puts a single binary layer first; convert a text layer with usdcat, flatten several with usdcat --flatten.',
  ARKitLayerChecker: 'Give each layer the extension of its format.',
  Layer: 'Write the layer again with the program that made it: it is damaged.',
  MissingReferenceChecker:
    '--fix names a file of the package that is called the same; pack what is missing, or remove what names it.',
  ARKitPackageEncapsulationChecker:
    '--fix names a file of the package that is called the same; pack other files, and name them by relative paths.',
  TextureChecker: '--fix gives JPEG and PNG their extensions; convert other textures to JPEG or PNG.',
  StageMetadataChecker: '--fix sets what is missing; turn a model with another upAxis, so that Y is up.',
  PrimEncapsulationChecker: 'Move nested shapes beside each other, and shaders into materials.',
  ARKitPrimTypeChecker: 'Remove these prims, or replace them by meshes.',
  MaterialBindingAPIAppliedChecker: '--fix applies the schema.',
  ARKitMaterialBindingChecker: 'Bind an existing Material, one for each prim.',
  ARKitShaderChecker: 'Use UsdPreviewSurface, UsdUVTexture, UsdTransform2d and primvar readers only.',
  NormalMapTextureChecker: 'Set sourceColorSpace to raw, scale to (2, 2, 2, 1) and bias to (-1, -1, -1, 0).',
  Names: '--fix replaces names that USD does not allow.',
  Values: 'Write the values in the declared type.',
  FiniteValues: 'Replace values that are not finite numbers.',
  TimeSamples: 'Sort the samples by time, within startTimeCode and endTimeCode.',
  Transforms: 'List existing operations in xformOpOrder, and normalise rotations.',
  Mesh: 'Correct the counts, indices and primvars of these meshes.',
  Extent: '--fix computes the extent from the points.',
  Skeleton: 'Write rest and bind transforms for each joint, parents first.',
  SkelAnimation: 'Write as many values as the animation has joints and blend shapes.',
  SkelBinding: 'Put skinned meshes below a SkelRoot, bound to a skeleton with joints and weights for each point.',
  BlendShape: 'List an existing blend shape for each name, with offsets for existing points.',
}
