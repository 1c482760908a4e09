import { Button, Loader } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../../components/data/badge.tsx'
import { Facts } from '../../../components/data/facts.tsx'
import { Table } from '../../../components/data/table.tsx'
import { errorMessage } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { useAppCairn } from '../../../session/use-app.tsx'
import { madeOf, makePart, PARTS, type Part, type Sample } from '../sample/sample-data.ts'
import { StepPage } from '../step-page.tsx'
import type { StepProps } from '../welcome.tsx'

const texts = messages.welcome.data
const TONES = { waiting: 'plain', running: 'note', done: 'ok', failed: 'err' } as const
type State = keyof typeof TONES

/** Creates sample data part by part, or links to ways to add one's own. */
export function DataStep({ app, made, onNext }: StepProps) {
  const sample = useSample(app)
  const [isOwn, setIsOwn] = useState(false)
  const isThere = sample.isDone || (made.board !== undefined && made.pin !== undefined)
  const goOn = () => onNext(madeOf(sample.made))
  return (
    <StepPage
      title={texts.title}
      lead={texts.lead(app.name)}
      actions={
        isThere || isOwn ? (
          <Button
            // A new key gives this button its own focus; the clicked one was disabled and lost it.
            key="onNext"
            variant="filled"
            rightSection={<IconArrowRight size={14} aria-hidden />}
            onClick={goOn}
            autoFocus={isOwn || sample.isDone}
          >
            {messages.welcome.continue}
          </Button>
        ) : (
          <>
            <Button variant="filled" loading={sample.running !== undefined} onClick={() => void sample.make()}>
              {sample.error ? texts.again : texts.sample}
            </Button>
            <Button variant="subtle" disabled={sample.running !== undefined} onClick={() => setIsOwn(true)}>
              {texts.own}
            </Button>
          </>
        )
      }
    >
      {isOwn ? (
        <Own />
      ) : (
        <Panel flush>
          <Table label={texts.sample}>
            <tbody>
              {PARTS.map((part) => (
                <PartLine key={part} part={part} state={isThere ? 'done' : sample.stateOf(part)} />
              ))}
            </tbody>
          </Table>
        </Panel>
      )}
      {sample.error !== undefined && (
        <Notice tone="err" title={texts.failed}>
          {errorMessage(sample.error)}
        </Notice>
      )}
      {isThere && <Notice tone="ok" title={texts.made} />}
    </StepPage>
  )
}

/** Creates the parts in order. A retry resumes after the last complete part. */
function useSample(app: StepProps['app']) {
  const person = useCairn()
  const asApp = useAppCairn(app)
  const queries = useQueryClient()
  const [made, setMade] = useState<Sample>({})
  const [done, setDone] = useState<Part[]>([])
  const [running, setRunning] = useState<Part>()
  const [error, setError] = useState<unknown>()

  const make = async () => {
    setError(undefined)
    let sample = made
    for (const part of PARTS.filter((one) => !done.includes(one))) {
      setRunning(part)
      try {
        sample = await makePart(part, sample, { app: asApp!, person })
      } catch (cause) {
        setError(cause)
        break
      }
      setMade(sample)
      setDone((parts) => [...parts, part])
    }
    setRunning(undefined)
    await queries.invalidateQueries()
  }
  const stateOf = (part: Part): State => {
    if (done.includes(part)) return 'done'
    if (part === running) return 'running'
    return error !== undefined && part === PARTS[done.length] ? 'failed' : 'waiting'
  }
  return { made, running, error, make, stateOf, isDone: done.length === PARTS.length }
}

function PartLine({ part, state }: { part: Part; state: State }) {
  return (
    <tr>
      <td>{texts.parts[part]}</td>
      <td className="num">
        {state === 'running' && <Loader size={14} aria-hidden />}{' '}
        <Badge tone={TONES[state]}>{texts.partStates[state]}</Badge>
      </td>
    </tr>
  )
}

const Own = () => (
  <Panel>
    <Facts
      facts={{
        [texts.scores]: (
          <>
            {texts.scoresText} <a href="/docs/">{messages.shell.apiDocs}</a>
          </>
        ),
        [texts.survey]: (
          <>
            {texts.surveyText} <Link to="/import">{messages.shell.pages.import}</Link>
          </>
        ),
        [texts.models]: (
          <>
            {texts.modelsText} <Link to="/files">{messages.shell.pages.files}</Link>
          </>
        ),
      }}
    />
  </Panel>
)
