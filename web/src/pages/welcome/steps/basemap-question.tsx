import type { Basemap } from '@cairn/sdk'
import { Radio } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ArchiveUpload } from '../../../components/basemap/archive-upload.tsx'
import { Failure } from '../../../components/feedback/failure.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'

const texts = messages.welcome.basemap
/** A MapLibre style with streets of the whole world, without a key. */
const OPEN_FREE_MAP = 'https://tiles.openfreemap.org/styles/liberty'
const CHOICES = {
  none: { source: 'none' },
  file: { source: 'file' },
  openFreeMap: { source: 'style', styleUrl: OPEN_FREE_MAP },
} as const
type Choice = keyof typeof CHOICES

/** Asks what maps draw below pins and zones. A choice is saved at once. For ops. */
export function BasemapQuestion() {
  const cairn = useCairn()
  const queries = useQueryClient()
  const key = ['basemap', 'choice']
  const basemap = useQuery({ queryKey: key, queryFn: ({ signal }) => cairn.box.basemap({ signal }) })
  // A radio button is set with the click, not when the request begins: in between, it would be unchecked again.
  const [clicked, setClicked] = useState<Choice>()
  const choose = useMutation({
    mutationFn: (choice: Choice) => cairn.box.setBasemap(CHOICES[choice]),
    onSuccess: (changed) => queries.setQueryData(key, changed),
    onSettled: () => setClicked(undefined),
  })
  return (
    <Panel title={texts.title}>
      <QueryResult query={basemap}>
        {(found) => (
          <div className="stack">
            <Radio.Group
              aria-label={texts.title}
              value={clicked ?? choiceOf(found)}
              onChange={(choice) => {
                setClicked(choice as Choice)
                choose.mutate(choice as Choice)
              }}
            >
              <div className="stack">
                <Radio value="none" label={texts.none} description={texts.noneText} />
                <Radio value="openFreeMap" label={texts.openFreeMap} description={texts.openFreeMapText} />
                <Radio
                  value="file"
                  label={texts.file}
                  description={found.file.state === 'none' ? texts.fileMissing : texts.fileText}
                />
              </div>
            </Radio.Group>
            {choiceOf(found) === 'file' && <ArchiveUpload basemap={found} />}
            {choose.error && <Failure error={choose.error} title={messages.common.notSaved} />}
            <p className="small faint" role="status">
              {choose.isSuccess ? texts.saved : texts.later}
            </p>
          </div>
        )}
      </QueryResult>
    </Panel>
  )
}

/** Of another style, nothing is selected. */
function choiceOf({ source, shown, styleUrl }: Basemap): Choice | null {
  const drawn = source ?? shown
  if (drawn !== 'style') return drawn
  return styleUrl === OPEN_FREE_MAP ? 'openFreeMap' : null
}
