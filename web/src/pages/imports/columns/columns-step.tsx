import type { CsvUpload, CsvUploadReport } from '@cairn/sdk'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Facts } from '../../../components/data/facts.tsx'
import { formatMetres, formatNumber } from '../../../components/data/format.ts'
import { fieldErrors } from '../../../components/feedback/field-errors.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'
import { FileNotices } from '../findings/file-notices.tsx'
import type { useImportActions } from '../use-import.ts'
import { ColumnTable } from './column-table.tsx'
import { FailedCheck } from './failed-check.tsx'
import { columnsOf, type Detected, formatHeader } from './header.ts'
import { ParseOptionsFields, parseOptionsOf, toImportOptions } from './parse-options.tsx'

const texts = messages.imports.columns

type Props = { record: CsvUpload; report: CsvUploadReport; check: ReturnType<typeof useImportActions>['check'] }

/** The detected columns and format, which the user can correct. */
export function ColumnsStep({ record, report, check }: Props) {
  const { detected } = report
  const first = detected ? columnsOf(detected) : []
  const [fields, setFields] = useState(first)
  const [parseOptions, setParseOptions] = useState(parseOptionsOf(record))
  const isMoved = formatHeader(fields, ',') !== formatHeader(first, ',')
  const isChanged = isMoved || JSON.stringify(parseOptions) !== JSON.stringify(parseOptionsOf(record))
  const isDisabled = record.fileUrl === null || (!record.dryRun && record.status !== 'FAILED')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    check.mutate({
      ...(isMoved && detected ? { header: formatHeader(fields, detected.delimiter ?? ',') } : {}),
      ...toImportOptions(parseOptions),
    })
  }
  const isFailed = record.status === 'FAILED'
  return (
    <form className="stack" onSubmit={submit}>
      {isFailed && <FailedCheck record={record} check={check} />}
      <FileNotices record={record} report={report} check={check} />
      <div className="columns">
        <Panel
          flush
          title={texts.title}
          beside={texts.found(
            formatNumber(fields.filter(({ role }) => role !== null).length),
            formatNumber(fields.length),
          )}
        >
          {detected && fields.length > 0 ? (
            <ColumnTable
              names={detected.fields?.map(({ name }) => name) ?? []}
              fields={fields}
              cells={detected.cells ?? []}
              onFields={setFields}
              isDisabled={isDisabled}
            />
          ) : (
            <p className="dim pad">{texts.nothing}</p>
          )}
        </Panel>
        <div className="stack">
          <Panel title={texts.facts}>{detected && <ReadAs record={record} detected={detected} />}</Panel>
          <Panel>
            <div className="stack">
              <ParseOptionsFields
                parseOptions={parseOptions}
                layers={detected?.layers ?? []}
                errors={fieldErrors(check.error)}
                isDisabled={isDisabled}
                onChange={setParseOptions}
              />
              <p className="dim small">{texts.how}</p>
              <Button
                type="submit"
                {...(isChanged ? { variant: 'filled' } : {})}
                disabled={isDisabled || !isChanged}
                loading={check.isPending}
              >
                {texts.again}
              </Button>
              {!isFailed && (
                <Link to="/import/$uploadId" params={{ uploadId: record.id }} search={{ step: 'check' }}>
                  {texts.next}
                </Link>
              )}
            </div>
          </Panel>
        </div>
      </div>
    </form>
  )
}

const ReadAs = ({ record, detected }: { record: CsvUpload; detected: Detected }) => (
  <Facts
    facts={{
      [texts.format]: detected.format ?? null,
      ...(detected.layer != null && { [texts.layer]: detected.layer }),
      [texts.crs]: detected.crs ?? ('latitude' in detected.columns ? texts.crsDegrees : texts.crsNone),
      ...(detected.heights?.length && {
        [texts.heights]: detected.heights
          .map(({ datum, operation, accuracy }) =>
            texts.heightsBy(
              messages.map.facts.heightDatum(datum),
              operation,
              accuracy === null ? null : formatMetres(accuracy),
            ),
          )
          .join('; '),
      }),
      ...(detected.delimiter !== null && {
        [texts.delimiter]: texts.delimiters[detected.delimiter] ?? detected.delimiter,
      }),
      [texts.decimal]: detected.decimal === null ? null : (texts.decimals[detected.decimal] ?? detected.decimal),
      [texts.encoding]: detected.encoding,
      [texts.header]: record.header !== null ? texts.headerGiven : detected.header ? texts.headerOwn : texts.headerNone,
    }}
  />
)
