import type { CsvUpload, CsvUploadReport, Zone } from '@cairn/sdk'
import { Button, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../components/data/format.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { Findings } from '../findings/findings.tsx'
import classes from '../import.module.css'
import { asSentence } from '../sentence.ts'
import type { useImportActions } from '../use-import.ts'
import { Preview } from './preview.tsx'
import type { Point } from './preview-features.ts'
import { RowCounts } from './row-counts.tsx'

const texts = messages.imports.apply
const MAX_POINTS = 2000

type Props = {
  record: CsvUpload
  report: CsvUploadReport
  zone: Zone | undefined
  runs: ReturnType<typeof useImportActions>
}

const goodOf = ({ summary }: CsvUploadReport) => summary.created + summary.updated + summary.unchanged

/** The form to apply a checked file, or the result of an import. */
export const ApplyStep = (props: Props) => (props.record.dryRun ? <ApplyForm {...props} /> : <ApplyResult {...props} />)

function ApplyForm({ record, report, runs: { apply } }: Props) {
  const [onError, setOnError] = useState(record.onError)
  const good = goodOf(report)
  const { rows, failed } = report.summary
  const isDisabled = record.status !== 'COMPLETED' || good === 0
  return (
    <>
      <RowCounts report={report} isDone={false} />
      <Panel title={texts.title}>
        <div className="stack">
          <p>{isDisabled ? texts.nothing : texts.summary(formatNumber(good))}</p>
          {failed > 0 && !isDisabled && <p className="dim">{texts.left(formatNumber(failed))}</p>}
          <Radio.Group
            label={texts.onError}
            value={onError}
            onChange={(value) => setOnError(value as CsvUpload['onError'])}
          >
            <Stack gap={6} mt={4}>
              <Radio value="skip" label={texts.skip} />
              <Radio value="abort" label={texts.abort} />
            </Stack>
          </Radio.Group>
          <div>
            <Button
              variant="filled"
              disabled={isDisabled || record.fileUrl === null}
              loading={apply.isPending}
              onClick={() => apply.mutate({ onError, rowCount: rows })}
            >
              {messages.imports.head.apply(formatNumber(good))}
            </Button>
          </div>
        </div>
      </Panel>
    </>
  )
}

function ApplyResult({ record, report, zone, runs: { check } }: Props) {
  const isFailed = record.status === 'FAILED'
  return (
    <>
      {isFailed ? (
        <Notice
          tone="err"
          title={texts.failed}
          actions={
            record.fileUrl !== null && (
              <Button loading={check.isPending} onClick={() => check.mutate({})}>
                {texts.retry}
              </Button>
            )
          }
        >
          <div>{asSentence(record.errorMessage)}</div>
        </Notice>
      ) : (
        <Notice
          tone="ok"
          title={texts.done(formatNumber(goodOf(report)))}
          actions={
            <Link to="/import" search={{ zone: record.zoneId }}>
              {texts.another}
            </Link>
          }
        >
          {report.summary.failed > 0 ? texts.left(formatNumber(report.summary.failed)) : texts.again}
        </Notice>
      )}
      <RowCounts report={report} isDone />
      <div className={classes.check}>
        {zone && !isFailed && <ImportedPoints zone={zone} report={report} />}
        <Findings record={record} report={report} />
      </div>
    </>
  )
}

/** The control points now in the zone. */
function ImportedPoints({ zone, report }: { zone: Zone; report: CsvUploadReport }) {
  const cairn = useCairn()
  const { data } = useQuery({
    queryKey: ['gcps', 'of', zone.id, report.uploadId],
    queryFn: async ({ signal }) => {
      const found = await cairn.gcps.list({ zoneId: zone.id, limit: 1000 }, { signal }).all({ atMost: MAX_POINTS })
      return found.flatMap(({ id, title, pin }): Point[] =>
        pin && pin.latitude !== null && pin.longitude !== null
          ? [{ row: id, title, latitude: pin.latitude, longitude: pin.longitude, status: 'known' }]
          : [],
      )
    },
  })
  if (!data) return null
  const [first] = data
  return (
    <div className="stack">
      <Preview points={data} zone={zone} />
      {first && (
        <Link to="/map" search={{ lat: first.latitude, lon: first.longitude }}>
          {texts.onMap}
        </Link>
      )}
    </div>
  )
}
