import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowRight, IconSend } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeBlock } from '../../../components/copy/code-block.tsx'
import { SecretField, secretPrefix } from '../../../components/copy/secret-field.tsx'
import { errorMessage, Failure } from '../../../components/feedback/failure.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { Skeleton } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useApiKey, useAppCairn } from '../../../session/use-app.tsx'
import classes from '../guide.module.css'
import { StepPage } from '../step-page.tsx'
import type { StepProps } from '../welcome.tsx'
import { CallMonitor } from './call-monitor.tsx'
import { snippets } from './snippets.ts'

const texts = messages.welcome.call
type Language = keyof typeof snippets
const LANGUAGES = Object.entries(texts.languages).map(([value, label]) => ({ value, label }))

/** The app's key, code samples with it, and the calls received. */
export function CallStep({ app, onNext }: StepProps) {
  const [language, setLanguage] = useState<Language>('curl')
  const snippet = snippets[language]
  const { data: key, error, refetch } = useApiKey(app)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!key) return <Skeleton rows={4} />
  return (
    <StepPage
      title={texts.title}
      lead={texts.lead(app.name)}
      actions={
        <>
          <Button variant="filled" rightSection={<IconArrowRight size={14} aria-hidden />} onClick={() => onNext()}>
            {messages.welcome.continue}
          </Button>
          <Button variant="subtle" onClick={() => onNext()}>
            {messages.welcome.skip}
          </Button>
        </>
      }
    >
      <div className={classes.field}>
        <div className="small strong dim" aria-hidden>
          {texts.key}
        </div>
        <SecretField value={key} what={texts.key} />
        <p className="small faint">
          {texts.keyText}{' '}
          <Link to="/apps/$appId" params={{ appId: app.id }}>
            {texts.overview}
          </Link>
          .
        </p>
      </div>
      <div>
        <div className={classes.bar}>
          <SegmentedControl
            aria-label={texts.language}
            data={LANGUAGES}
            value={language}
            onChange={(value) => setLanguage(value as Language)}
          />
          <SendHere app={app} />
        </div>
        <CodeBlock
          what={texts.snippet}
          text={snippet(location.origin, `${secretPrefix(key)}…`)}
          copied={snippet(location.origin, key)}
        />
      </div>
      <CallMonitor app={app} />
    </StepPage>
  )
}

/** Sends the sample call from the browser. */
function SendHere({ app }: Pick<StepProps, 'app'>) {
  const cairn = useAppCairn(app)
  const queries = useQueryClient()
  const call = useMutation({
    mutationFn: () => cairn!.players.create({ displayName: 'mossy_otter' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['calls', app.id] }),
  })
  return (
    <div className="row">
      {call.error && <Notice tone="err">{errorMessage(call.error)}</Notice>}
      <Button
        size="xs"
        variant="subtle"
        leftSection={<IconSend size={14} aria-hidden />}
        loading={call.isPending}
        onClick={() => call.mutate()}
      >
        {texts.send}
      </Button>
    </div>
  )
}
