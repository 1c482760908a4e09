import type { CsvUpload, CsvUploadReport } from '@cairn/sdk'
import { SegmentedControl } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { formatNumber } from '../../../components/data/format.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { PagedListView, usePagedList } from '../../../components/query/paged-list.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import type { ImportSearch } from '../search-params.ts'
import { countOf, linesOf } from './finding-lines.ts'
import { FindingTable } from './finding-table.tsx'
import classes from './findings.module.css'

const texts = messages.imports.findings
const SHOWN = 50

/** Errors and warnings, counted by cause, with their rows page by page. */
export function Findings({ record, report }: { record: CsvUpload; report: CsvUploadReport }) {
  const cairn = useCairn()
  const navigate = useNavigate()
  const { uploadId } = useParams({ from: '/shell/import/$uploadId' })
  const search = useSearch({ from: '/shell/import/$uploadId' })
  const bad = report.causes.filter(({ status }) => status === 'failed')
  const warned = report.causes.filter(({ status }) => status === 'warning')
  const rows = search.rows ?? (bad.length === 0 && warned.length > 0 ? 'warnings' : undefined)
  const status = rows === 'warnings' ? 'warning' : 'failed'
  const causes = rows === 'warnings' ? warned : bad
  const cause = causes.find(({ code }) => code === search.cause)?.code
  const list = usePagedList(
    ['import', record.id, 'findings', record.updatedAt, status, cause],
    () => cairn.csvUploads.findings(record.id, { status, limit: SHOWN, ...(cause === undefined ? {} : { cause }) }),
    { enabled: causes.length > 0 },
  )
  const look = (change: ImportSearch) => {
    const { step } = search
    void navigate({
      to: '/import/$uploadId',
      params: { uploadId },
      search: { ...(step ? { step } : {}), ...change },
      replace: true,
      resetScroll: false,
    })
  }
  // An import that stopped shows its error instead.
  if (report.causes.length === 0 && record.status === 'FAILED') return null
  if (report.causes.length === 0)
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
            { value: 'failed', label: texts.bad(formatNumber(countOf(bad))) },
            { value: 'warnings', label: texts.warnings(formatNumber(countOf(warned))) },
          ]}
        />
      </div>
      {causes.length > 0 && (
        <fieldset className={classes.causes}>
          <legend className="visually-hidden">{texts.causes}</legend>
          {causes.map(({ code, count }) => (
            <button
              key={code}
              type="button"
              className={classes.cause}
              aria-pressed={code === cause}
              onClick={() =>
                look({ ...(rows === 'warnings' ? { rows } : {}), ...(code === cause ? {} : { cause: code }) })
              }
            >
              {texts.cause(texts.codes[code] ?? code, formatNumber(count))}
            </button>
          ))}
        </fieldset>
      )}
      {causes.length > 0 ? (
        <PagedListView list={list} rows={6} empty={<p className="dim pad">{texts.noneHere}</p>}>
          {(items) => <FindingTable lines={linesOf(items, cause)} isBad={rows !== 'warnings'} />}
        </PagedListView>
      ) : (
        <p className="dim pad">{texts.noneHere}</p>
      )}
    </Panel>
  )
}
