import { z } from 'zod'
import { pathInteger, queryBoolean, queryInteger, queryNumber } from '../../../platform/schema.ts'

const format = z.enum(['usdz', 'glb'])
const profile = z.enum(['quicklook', 'spec', 'realitykit'])
const name = z.string().min(1).max(200)
const animations = z.enum(['auto', 'sequence', 'together'])
const maxTriangles = z.int().min(100).max(5_000_000)
const scale = z.number().min(1e-6).max(1e6)
const maxTextureSize = z.int().min(16).max(16_384)
const anchor = z.enum(['plane', 'face', 'image'])
const anchorWidth = z.number().min(0.001).max(100)
const alignment = z.enum(['horizontal', 'vertical', 'any'])
const preferredIblVersion = z.literal([1, 2]).meta({ type: 'integer' })
const label = z.string().min(1).max(200)
const description = z.string().min(1).max(1000)

/** The options of a conversion, in a query. Each set of options has its own result. */
export const conversionQuery = {
  format: format
    .optional()
    .describe(
      'The format of the result: `usdz` (default) of a GLB, PLY, OBJ or STL, `glb` of a USDZ. The other options are for conversions to USDZ; with `format=glb` they return 400',
    ),
  profile: profile
    .optional()
    .describe(
      '`quicklook` (default) for Apple’s AR viewers, `spec` for other programs that read USD (it also takes Gaussian splats), `realitykit` for apps that show models by RealityKit: as `quicklook`, with a MaterialX network beside each material',
    ),
  clip: name.optional().describe('The animation that plays first, by name or by number from 0'),
  onlyClip: queryBoolean.optional().describe('Leaves out all animations but the first to play'),
  animations: animations
    .optional()
    .describe(
      '`auto` (default) plays animations together if no two move the same property and no clip is selected, else in sequence; `sequence` and `together` set this',
    ),
  variant: name
    .optional()
    .describe(
      'The material variant that is shown first, by name or by number from 0; the default materials without it',
    ),
  loop: queryBoolean.optional().describe('Whether viewers repeat the animations; without it, the viewer decides'),
  scale: queryNumber.pipe(scale).optional().meta({
    type: 'number',
    minimum: 1e-6,
    maximum: 1e6,
    description:
      'Multiplies the size of the model: 0.01 for a model in centimetres. PLY, OBJ and STL have no unit, and are read in metres',
  }),
  maxTextureSize: queryInteger.pipe(maxTextureSize).optional().meta({
    type: 'integer',
    minimum: 16,
    maximum: 16_384,
    description: 'The largest side of an image in pixels; 2048 by default, any for `spec`',
  }),
  maxTriangles: queryInteger.pipe(maxTriangles).optional().meta({
    type: 'integer',
    minimum: 100,
    maximum: 5_000_000,
    description: 'How many triangles the model may draw: with more, its meshes are simplified',
  }),
  anchor: anchor.optional().describe('Where AR viewers place the model; without it they ask'),
  alignment: alignment.optional().describe('The alignment of the plane, with `anchor=plane`: `horizontal` by default'),
  anchorImageId: pathInteger
    .optional()
    .describe(
      'The file ID of the image on which viewers place the model; required with `anchor=image`. A JPEG or PNG of at most 8 MB that the owner of the model has uploaded. It is a part of the USDZ, and deleting it deletes the conversion',
    ),
  anchorWidth: queryNumber.pipe(anchorWidth).optional().meta({
    type: 'number',
    minimum: 0.001,
    maximum: 100,
    description: 'The width of the printed image in metres; required with `anchor=image`',
  }),
  preferredIblVersion: queryInteger
    .pipe(preferredIblVersion)
    .optional()
    .meta({
      type: 'integer',
      enum: [1, 2],
      description: 'The light in AR Quick Look: 1 is the classic one, 2 (default) the brighter one of iOS 16',
    }),
  label: label.optional().describe('What screen readers call the model'),
  description: description.optional().describe('What screen readers say about the model'),
}

/** The options of a conversion, without those that have their default value. */
export const ConversionOptions = z
  .object({
    format: format.optional(),
    profile: profile.optional(),
    clip: name.optional(),
    onlyClip: z.boolean().optional(),
    animations: animations.optional(),
    variant: name.optional(),
    loop: z.boolean().optional(),
    scale: scale.optional(),
    maxTextureSize: maxTextureSize.optional(),
    maxTriangles: maxTriangles.optional(),
    anchor: anchor.optional(),
    alignment: alignment.optional(),
    anchorImageId: z.int().min(1).optional(),
    anchorWidth: anchorWidth.optional(),
    preferredIblVersion: preferredIblVersion.optional(),
    label: label.optional(),
    description: description.optional(),
  })
  .meta({ id: 'ConversionOptions' })
export type ConversionOptions = z.infer<typeof ConversionOptions>
