import type { UserFileDetail } from '@cairn/sdk'
import { ActionIcon, Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'
import { ConversionBadge } from '../conversion-badge.tsx'
import { ConversionReportPanel } from '../conversion-report.tsx'
import classes from '../file.module.css'
import { usdzName } from '../model-types.ts'
import { describeOptions } from './fields.ts'

const texts = messages.files.options

/** The conversions of a file with options: their state, USDZ and report. */
export function OptionSets({ file }: { file: UserFileDetail }) {
  const [shown, setShown] = useState<string>()
  const sets = file.conversionsWithOptions.map((made) => ({ ...made, name: describeOptions(made.options) }))
  if (sets.length === 0) return null
  const report = sets.find(({ name }) => name === shown)?.report
  return (
    <>
      <Panel title={texts.title} flush>
        <ul className={classes.files}>
          {sets.map((made) => (
            <li key={made.name}>
              <span className="row wrap">
                <span className="strong">{made.name}</span>
                <ConversionBadge conversion={made} />
                <span className="grow" />
                {made.report && (
                  <Button
                    size="xs"
                    variant="subtle"
                    aria-expanded={made.name === shown}
                    aria-label={texts.reportOf(made.name)}
                    onClick={() => setShown(made.name === shown ? undefined : made.name)}
                  >
                    {texts.report}
                  </Button>
                )}
                {made.usdzUrl && (
                  <ActionIcon
                    component="a"
                    size={26}
                    href={made.usdzUrl}
                    download={usdzName(file.fileName)}
                    aria-label={texts.downloadOf(made.name)}
                  >
                    <IconDownload size={14} aria-hidden />
                  </ActionIcon>
                )}
              </span>
              {made.errorMessage && <span className="dim">{made.errorMessage}</span>}
            </li>
          ))}
        </ul>
      </Panel>
      {report && <ConversionReportPanel report={report} fileName={file.fileName} />}
    </>
  )
}
