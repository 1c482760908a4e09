import { z } from 'zod'
import { pathInteger } from '../../platform/schema.ts'
import { ConversionOptions, conversionQuery } from './conversion/schema.ts'

const binary = z.string().meta({ format: 'binary' })
const fileId = z.int().min(1)

export const FileParams = z.object({ fileId: pathInteger.describe('File ID') })
export const ConversionQuery = z.object(conversionQuery)
export const FileQuery = ConversionQuery.extend({ fileId: pathInteger.describe('File ID') })
export const DownloadQuery = z.object({
  url: z.string().min(1).max(2048).describe('The URL of a file, as issued by this service, or its key'),
})

export const UploadForm = z
  .object({ file: binary.optional(), files: z.array(binary).optional() })
  .meta({ id: 'UploadForm' })
export const ConvertForm = z.object({ file: binary }).meta({ id: 'ConvertForm' })

export const UploadResult = z
  .object({
    status: z.enum(['success', 'error']),
    message: z.string(),
    url: z.url().nullable().describe('`null` for a file that was not accepted'),
    fileId: fileId.nullable(),
    fileName: z.string(),
    fileSize: z.int().min(0).describe('Bytes stored'),
    mimeType: z.string().describe('Detected from the bytes; application/octet-stream if unknown'),
    arWorldUrl: z.url().nullable().describe('The same URL for an AR World file, `null` for others'),
  })
  .meta({ id: 'UploadResult' })
export type UploadResult = z.infer<typeof UploadResult>

export const UploadAnswer = z
  .object({
    status: z.enum(['success', 'partial', 'error']).describe('`partial`: some files were accepted'),
    results: z.array(UploadResult).describe('In the order of the files sent'),
  })
  .meta({ id: 'UploadAnswer' })
export type UploadAnswer = z.infer<typeof UploadAnswer>

export const OriginalFile = z
  .object({ id: fileId, fileName: z.string(), fileType: z.string().meta({ example: 'GLB' }), fileUrl: z.url() })
  .meta({ id: 'OriginalFile' })
export type OriginalFile = z.infer<typeof OriginalFile>

const ConvertedFile = OriginalFile.extend({
  fileType: z.enum(['USDZ', 'GLB']).describe('`GLB` of a conversion with `format=glb`'),
  fileSize: z.int().min(0),
}).meta({ id: 'ConvertedFile' })

const Note = z
  .object({
    code: z.string(),
    effect: z
      .enum(['changed', 'left_out'])
      .optional()
      .describe(
        '`changed`: the result shows it differently; `left_out`: not at all. Absent in reports of earlier versions',
      ),
    message: z.string(),
    count: z.int().optional(),
  })
  .meta({ id: 'ConversionNote' })

const Clip = z
  .object({
    name: z.string(),
    index: z.int().describe('The index of the animation in the GLB'),
    start: z.number().describe('Seconds on the timeline of the USDZ'),
    end: z.number().describe('Seconds on the timeline of the USDZ'),
  })
  .meta({ id: 'ConversionClip' })

const Variant = z
  .object({ name: z.string(), index: z.int().describe('The index of the variant in the GLB'), selected: z.boolean() })
  .meta({ id: 'ConversionVariant' })

/** What the result contains; `notes` lists everything in the source that it shows differently or not at all. */
export const ConversionReport = z
  .object({
    triangles: z.int(),
    vertices: z.int(),
    meshes: z.int(),
    materials: z.int(),
    textures: z.int(),
    animations: z.int(),
    skins: z.int(),
    morphTargets: z.int(),
    splats: z.int().optional().describe('Gaussian splats, of a splat PLY with `profile=spec`'),
    clips: z
      .array(Clip)
      .optional()
      .describe(
        'Where each animation is on the timeline, in playing order; those that play together have the same start. Absent in reports of earlier versions',
      ),
    variants: z
      .array(Variant)
      .optional()
      .describe(
        'The material variants that viewers offer; if none is selected, the default materials are shown first. Absent in reports of earlier versions',
      ),
    simplification: z
      .object({
        from: z.int().describe('Triangles that the GLB draws'),
        error: z.number().describe('The largest error of a mesh, as a share of its size'),
      })
      .optional()
      .describe('Present if meshes were simplified'),
    size: z
      .object({ width: z.number(), height: z.number(), depth: z.number() })
      .optional()
      .describe('Size of the model at rest in metres, as AR viewers show it; absent in reports of earlier versions'),
    metersPerUnit: z
      .number()
      .optional()
      .describe('For PLY, OBJ and STL, which have no unit of length: how many metres one unit of the file is'),
    nodes: z.int().optional().describe('Nodes of a GLB'),
    duration: z.number().optional().describe('Length of the animation of a GLB in seconds; absent without one'),
    notes: z.array(Note).describe('What was approximated or left out'),
  })
  .meta({ id: 'ConversionReport' })
export type ConversionReport = z.infer<typeof ConversionReport>

export const ConversionStatus = z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'])
export type ConversionStatus = z.infer<typeof ConversionStatus>

const options = ConversionOptions.optional().describe('The options of the conversion; absent without')
const conversionTime = z.string().describe('How long the conversion took').meta({ example: '1.84s' })

/** The original alone, with its conversion, or with the state of that. */
export const ConvertAnswer = z
  .object({
    message: z.string(),
    originalFile: OriginalFile,
    convertedFile: ConvertedFile.optional().describe('Present once converted'),
    options,
    conversionTime: conversionTime.optional(),
    report: ConversionReport.optional(),
    status: ConversionStatus.exclude(['COMPLETED'])
      .optional()
      .describe('State of a conversion that has no result, or none yet'),
    error: z.string().optional().describe('Why the conversion failed'),
  })
  .meta({ id: 'ConvertAnswer' })
export type ConvertAnswer = z.infer<typeof ConvertAnswer>

export const ConvertedFileAnswer = z
  .object({
    message: z.string(),
    originalFile: OriginalFile,
    convertedFile: ConvertedFile,
    options,
    conversionTime,
    report: ConversionReport,
  })
  .meta({ id: 'ConvertedFileAnswer' })
export type ConvertedFileAnswer = z.infer<typeof ConvertedFileAnswer>

export const DownloadAnswer = z
  .object({ downloadUrl: z.url().describe('Signed; valid for 15 minutes') })
  .meta({ id: 'DownloadAnswer' })

/** A file as stored. */
export type StoredFile = {
  id: number
  key: string
  fileName: string
  mimeType: string
  size: number
  sha256: string
  userId: string | null
  createdAt: string
}
export type NewFile = Omit<StoredFile, 'createdAt'> & {
  /** The app whose key was sent with it. */
  appId?: string | null
}
/** The uploader of a file. */
export type Maker = { userId: string | null; appId: string | null }

/** A conversion of a content: its state and result. */
export type Conversion = {
  options: ConversionOptions | undefined
  status: ConversionStatus
  errorCode: string | null
  error: string | null
  report: ConversionReport | null
  seconds: number | null
  result: { id: number; key: string; size: number } | null
}
