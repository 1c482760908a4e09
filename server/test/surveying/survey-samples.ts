import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { InZone } from '../../modules/surveys/parser/layout/layout.ts'
import { readSurvey, type SurveyItem, type SurveyOptions } from '../../modules/surveys/parser/read-survey.ts'

const usage = `Reads survey files and prints what becomes of them, as a Markdown table.

  node server/test/surveying/survey-samples.ts [file …] [--crs EPSG:n] [--zone west,south,east,north]

file     default: every file of ../shared/samples/gcp beside the project
`

const samples = new URL('../../../../shared/samples/gcp/', import.meta.url)

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { crs: { type: 'string' }, zone: { type: 'string' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) {
    process.stdout.write(usage)
    return
  }
  const options: SurveyOptions = {
    ...(values.crs !== undefined && { crs: values.crs }),
    ...(values.zone !== undefined && { inZone: boxOf(values.zone.split(',').map(Number)) }),
  }
  process.stdout.write('| file | result |\n|---|---|\n')
  for (const file of positionals.length > 0
    ? positionals.map((name) => new URL(name, `file://${process.cwd()}/`))
    : await sampleFiles()) {
    const name = decodeURIComponent(file.pathname.split('/').at(-1)!)
    process.stdout.write(`| \`${name}\` | ${await outcomeOf(file, options)} |\n`)
  }
}

async function sampleFiles(): Promise<URL[]> {
  const names = await readdir(samples, { recursive: true, withFileTypes: true }).catch(() => {
    throw new Error('The sample files are missing: put them into ../shared/samples/gcp beside the project.')
  })
  return names
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => new URL(encodeURIComponent(entry.name), `file://${entry.parentPath}/`))
    .sort((a, b) => a.pathname.localeCompare(b.pathname))
}

const boxOf =
  ([west = -180, south = -90, east = 180, north = 90]: number[]): InZone =>
  (latitude, longitude) =>
    latitude >= south && latitude <= north && longitude >= west && longitude <= east

async function outcomeOf(file: URL, options: SurveyOptions): Promise<string> {
  const items: SurveyItem[] = []
  let refused = ''
  try {
    for await (const item of readSurvey(createReadStream(file), options)) items.push(item)
  } catch (error) {
    refused = ` refused: ${(error as { code?: string }).code ?? 'fault'}: ${(error as Error).message}`
  }
  const points = items.filter((item) => item.kind === 'point')
  const faulty = items.filter((item) => item.kind === 'faulty')
  const first = points[0]?.point
  const place = first
    ? `, ${oneLine(first.title)} at ${first.latitude.toFixed(7)}, ${first.longitude.toFixed(7)}, h ${first.h ?? '–'}`
    : ''
  const fault = faulty[0]
    ? `; ${faulty.length} rows refused, first: ${faulty[0].faults[0]!.code}: ${faulty[0].faults[0]!.message}`
    : ''
  const notices = [...new Set(items.flatMap((item) => (item.kind === 'notice' ? [item.code] : [])))]
  const noted = notices.length > 0 ? ` (${notices.join(', ')})` : ''
  return oneLine(`${points.length} points${place}${fault}${noted}${refused ? `;${refused}` : ''}`)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|')

await main()
