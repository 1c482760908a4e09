import { z } from 'zod'
import { timestamp } from '../../platform/schema.ts'

const Source = z.enum(['none', 'file', 'style'])
export type Source = z.infer<typeof Source>

/** Hosts that fit into a content security policy: no characters that would end a directive. */
const HOST = /^([a-z0-9-]+\.)*[a-z0-9-]+$|^\[[0-9a-f:.]+\]$/

const isStyleUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return (
    HOST.test(hostname) &&
    username === '' &&
    password === '' &&
    (protocol === 'https:' || (protocol === 'http:' && isLoopback))
  )
}

const StyleUrl = z
  .stringFormat('uri', isStyleUrl, {
    error: 'must be an https URL of a MapLibre style, without user name and password',
  })
  .max(2048)

export const BasemapChoice = z
  .strictObject({
    source: Source.nullable().describe(
      '`file`: the PMTiles archive of the service; `style`: the style at `styleUrl`; `none`: the bundled map without streets; `null`: as the settings say',
    ),
    styleUrl: StyleUrl.optional().describe(
      'Required with `style`, otherwise refused. Browsers that show a map load the style, its tiles, fonts and icons from this host, which learns their address and the places they view',
    ),
  })
  .superRefine(({ source, styleUrl }, context) => {
    if ((source === 'style') === (styleUrl !== undefined)) return
    const message = styleUrl === undefined ? 'is required with the source "style"' : 'is only for the source "style"'
    context.addIssue({ code: 'custom', message, path: ['styleUrl'] })
  })
  .meta({ id: 'BasemapChoice' })
export type BasemapChoice = z.infer<typeof BasemapChoice>

export const BasemapArchive = z
  .strictObject({ fileId: z.int().min(1).describe('An uploaded file of the caller') })
  .meta({ id: 'BasemapArchive' })

const ArchiveFile = z.object({
  state: z
    .enum(['none', 'reading', 'unusable', 'ready'])
    .describe(
      '`none`: there is no archive; `reading`: it is being read and is drawn afterwards; `unusable`: see `fault`',
    ),
  name: z.string().nullable().describe('The name of the file'),
  bytes: z.int().nullable(),
  fault: z.string().nullable().describe('Why the file cannot be used'),
  minZoom: z.int().nullable(),
  maxZoom: z.int().nullable(),
  bounds: z.array(z.number()).nullable().describe('west, south, east, north in degrees'),
})

export const Basemap = z
  .object({
    shown: Source.describe('What maps of the console draw now'),
    source: Source.nullable().describe('What was chosen here; `null`: nothing, so the settings decide'),
    styleUrl: z.string().nullable().describe('The style that was chosen, or that `CAIRN_MAP_STYLE_URL` names'),
    file: ArchiveFile.describe('The PMTiles archive of the service, as seen by the process that responds'),
    updatedAt: timestamp.nullable().describe('When the choice was made'),
  })
  .meta({ id: 'Basemap' })
export type Basemap = z.infer<typeof Basemap>
