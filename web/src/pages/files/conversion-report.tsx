import type { ConversionReport } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { IconArrowsExchange, IconCheck, IconDownload, IconX } from '@tabler/icons-react'
import { saveFile } from '../../components/copy/save-file.ts'
import { Badge, type Tone } from '../../components/data/badge.tsx'
import { formatNumber } from '../../components/data/format.ts'
import { Table } from '../../components/data/table.tsx'
import { Panel } from '../../components/layout/panel.tsx'
import { messages } from '../../messages/index.ts'
import classes from './file.module.css'

const texts = messages.files.report

const RESULTS = {
  left_out: { name: texts.left, tone: 'err', icon: IconX },
  changed: { name: texts.changed, tone: 'warn', icon: IconArrowsExchange },
  kept: { name: texts.kept, tone: 'ok', icon: IconCheck },
} satisfies Record<string, { name: string; tone: Tone; icon: typeof IconX }>
type Result = keyof typeof RESULTS
type Row = { result: Result; what: string; many: number; how: string; said?: string }

/** What the conversion to USDZ kept, approximated and left out. Losses come first. */
export function ConversionReportPanel({ report, fileName }: { report: ConversionReport; fileName: string }) {
  const rows = rowsOf(report)
  const countOf = (result: Result) => rows.filter((row) => row.result === result).length
  const saveJson = () =>
    saveFile(new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' }), `${fileName}.report.json`)
  return (
    <Panel
      title={texts.title}
      flush
      actions={
        <Button size="xs" variant="subtle" leftSection={<IconDownload size={14} aria-hidden />} onClick={saveJson}>
          {texts.json}
        </Button>
      }
    >
      <ul className={classes.summary}>
        {(Object.keys(RESULTS) as Result[])
          .filter((result) => countOf(result) > 0)
          .map((result) => {
            const { icon: Icon, tone } = RESULTS[result]
            return (
              <li key={result} className={classes[tone]}>
                <Icon size={14} aria-hidden /> <b>{countOf(result)}</b> {texts.summary[result]}
              </li>
            )
          })}
      </ul>
      <Table label={texts.title}>
        <thead className="visually-hidden">
          <tr>
            <th>{texts.columns.result}</th>
            <th>{texts.columns.what}</th>
            <th className="num wide-only">{texts.columns.many}</th>
            <th>{texts.columns.how}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ result, what, many, how, said }) => (
            <tr key={`${what}${said ?? how}`}>
              <td className={classes.result}>
                <Badge tone={RESULTS[result].tone} icon={RESULTS[result].icon}>
                  {RESULTS[result].name}
                </Badge>
              </td>
              <td className={classes.what}>
                <span className="strong">{what}</span>
                <div className="dim narrow-only">
                  <How how={how} said={said} />
                </div>
              </td>
              <td className="num wide-only dim">{formatNumber(many)}</td>
              <td className="dim wide-only">
                <How how={how} said={said} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

/** What the conversion did, and the message of the service where it has values that the translation lacks. */
const How = ({ how, said }: { how: string; said: string | undefined }) => (
  <>
    {how}
    {said !== undefined && (
      <div className="dim small" lang="en">
        {said}
      </div>
    )}
  </>
)

/** Whether a message of the service has values, such as names or the largest error, that its translation lacks. */
const hasValues = (message: string): boolean => /[\d:"]/.test(message)

function rowsOf(report: ConversionReport): Row[] {
  const notes = report.notes.map(({ code, effect = 'changed', message, count }): Row => {
    const translated = texts.loss(code)
    const [what, how] = translated ?? [nameOf(code), message]
    const row: Row = { result: effect, what, many: count ?? 1, how }
    return translated && hasValues(message) ? { ...row, said: message } : row
  })
  const kept = (Object.keys(texts.rows) as (keyof typeof texts.rows)[])
    .map(
      (name): Row => ({ result: 'kept', what: texts.rows[name], many: report[name] ?? 0, how: keptAs(report, name) }),
    )
    .filter(({ many }) => many > 0)
  return [
    ...notes.filter(({ result }) => result === 'left_out'),
    ...notes.filter(({ result }) => result === 'changed'),
    ...kept,
  ]
}

/** Formats a code such as `texture_size` as words. */
const nameOf = (code: string) => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')

function keptAs({ triangles, vertices, metersPerUnit, clips }: ConversionReport, name: string): string {
  if (name === 'meshes') {
    const counts = texts.geometry(formatNumber(triangles), formatNumber(vertices))
    return metersPerUnit === undefined ? counts : `${counts} ${texts.unit(metersPerUnit)}`
  }
  if (name === 'animations' && clips)
    return clips
      .map(({ name, index, start, end }) => texts.clip(name || texts.unnamed(index), (end - start).toFixed(1)))
      .join(', ')
  return texts.kept_as
}
