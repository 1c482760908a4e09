import type { CsvUploadReport } from '@cairn/sdk'
import { Button, SegmentedControl } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { figure } from '../../parts/figures.ts'
import { Panel } from '../../parts/panel.tsx'
import { TableFoot } from '../../parts/table.tsx'
import { words } from '../../words/index.ts'
import { byCause, linesOf } from './finding-lines.ts'
import { FindingTable } from './finding-table.tsx'
import classes from './findings.module.css'
import type { ImportSearch } from './search.ts'

const texts = words.imports.findings
const SHOWN = 50

/** The rows that cannot be applied, and those with a warning, by what is wrong with them. */
export function Findings({ report }: { report: CsvUploadReport }) {
  const navigate = useNavigate()
  const { uploadId } = useParams({ from: '/shell/import/$uploadId' })
  const search = useSearch({ from: '/shell/import/$uploadId' })
  const bad = linesOf(report, 'failed')
  const warned = linesOf(report, 'warning')
  const rows = search.rows ?? (bad.length === 0 && warned.length > 0 ? 'warnings' : undefined)
  const lines = rows === 'warnings' ? warned : bad
  const causes = byCause(lines)
  const cause = causes.some(([code]) => code === search.cause) ? search.cause : undefined
  const shown = cause === undefined ? lines : lines.filter(({ code }) => code === cause)
  const [most, setMost] = useState(SHOWN)
  const look = (change: ImportSearch) => {
    const { step } = search
    setMost(SHOWN)
    void navigate({
      to: '/import/$uploadId',
      params: { uploadId },
      search: { ...(step ? { step } : {}), ...change },
      replace: true,
      resetScroll: false,
    })
  }
  if (bad.length + warned.length === 0)
    return (
      <Panel title={texts.title}>
        <p className="dim">{texts.none}</p>
      </Panel>
    )
  return (
    <Panel flush title={texts.title}>
      <div className={classes.filters}>
        <SegmentedControl
          aria-label={texts.which}
          value={rows ?? 'failed'}
          onChange={(value) => look(value === 'warnings' ? { rows: 'warnings' } : {})}
          data={[
            { value: 'failed', label: texts.bad(figure(bad.length)) },
            { value: 'warnings', label: texts.warnings(figure(warned.length)) },
          ]}
        />
      </div>
      {causes.length > 0 && (
        <fieldset className={classes.causes}>
          <legend className="unseen">{texts.causes}</legend>
          {causes.map(([code, count]) => (
            <button
              key={code}
              type="button"
              className={classes.cause}
              aria-pressed={code === cause}
              onClick={() =>
                look({ ...(rows === 'warnings' ? { rows } : {}), ...(code === cause ? {} : { cause: code }) })
              }
            >
              {texts.cause(texts.codes[code] ?? code, figure(count))}
            </button>
          ))}
        </fieldset>
      )}
      {shown.length > 0 ? (
        <FindingTable lines={shown.slice(0, most)} isBad={rows !== 'warnings'} />
      ) : (
        <p className="dim pad">{texts.noneHere}</p>
      )}
      {shown.length > most && (
        <TableFoot>
          <span className="faint">{texts.shown(figure(most), figure(shown.length))}</span>
          <Button size="xs" onClick={() => setMost(most + SHOWN)}>
            {texts.more}
          </Button>
        </TableFoot>
      )}
    </Panel>
  )
}
