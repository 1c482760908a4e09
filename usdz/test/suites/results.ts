import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What is known of a model of a suite: one line of the list. Each result has a state, and the reason if there is one. */
export type Row = {
  hash: string
  validity: string
  quicklook: string
  spec: string
  realitykit: string
  picture: string
}

const columns = ['hash', 'validity', 'quicklook', 'spec', 'realitykit', 'picture'] as const

export const emptyRow: Row = { hash: '', validity: '', quicklook: '', spec: '', realitykit: '', picture: '' }

/** The list of a suite: its head says where the models are from. */
export type Results = { head: string; rows: Map<string, Row> }

/** Reads a list of results; an empty one if there is none. */
export async function readResults(file: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [head = '', , ...lines] = text.trimEnd().split('\n')
  const rows = lines.map((line): [string, Row] => {
    const [path, ...cells] = line.split('\t')
    return [path!, Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ''])) as Row]
  })
  return { head: head.replace(/^# /, ''), rows: new Map(rows) }
}

/** Writes a list of results: tab-separated, a model a line, by path. */
export async function writeResults(file: string, { head, rows }: Results): Promise<void> {
  const lines = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, row]) => [path, ...columns.map((column) => row[column].replace(/\s+/g, ' '))].join('\t').trimEnd())
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${[`# ${head}`, ['path', ...columns].join('\t'), ...lines].join('\n')}\n`)
}

/** Counts models by the states of a column, and lists what failed. */
export function countsOf({ rows }: Results): string {
  const all = [...rows.values()]
  const valid = all.filter(({ validity }) => validity === 'valid')
  const incomplete = all.filter(({ validity }) => validity === 'incomplete').length
  const lines = [
    `${all.length} models: ${valid.length} valid, ${all.length - valid.length - incomplete} invalid, ${incomplete} incomplete.`,
  ]
  for (const profile of ['quicklook', 'spec', 'realitykit'] as const) {
    const of = (list: readonly Row[], state: string) =>
      list.filter((row) => row[profile].split(':')[0] === state).length
    const invalid = all.filter(({ validity }) => validity !== 'valid')
    lines.push(
      `${profile}: ${of(valid, 'converted')} converted, ${of(valid, 'excused')} with an excuse, ${of(valid, 'refused')} refused rightly, ` +
        `${of(valid, 'REFUSED')} refused wrongly, ${of(all, 'FALL')} failed; of the invalid: ${of(invalid, 'converted')} converted, ` +
        `${of(invalid, 'refused')} refused.`,
    )
  }
  const scores = valid.map(({ picture }) => /^[\d.]+/.exec(picture)?.[0]).filter((score) => score !== undefined)
  const below = valid.filter(
    ({ picture }) => picture.startsWith('0.') && !picture.includes('(') && Number(picture) < 0.98,
  )
  lines.push(`pictures: ${scores.length}, ${below.length} below the limit without a note.`)
  return lines.join('\n')
}
