import type { AlertKind, AlertSettingsAnswer } from '@cairn/sdk'
import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { useForm } from '../../../components/feedback/use-form.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { TestMails } from './test-mails.tsx'

const texts = messages.app.alerts
const KINDS = Object.keys(texts.kindNames) as AlertKind[]

/** Whom the alerts of an app are mailed to, for its owners and admins. */
export function AlertSettings({ appId }: { appId: string }) {
  const cairn = useCairn()
  const query = useQuery({
    queryKey: ['app', appId, 'alert-settings'],
    queryFn: ({ signal }) => cairn.alerts.settings(appId, { signal }),
  })
  return (
    <Panel title={texts.title}>
      <QueryResult query={query} rows={4}>
        {(settings) => <Form key={JSON.stringify(settings)} appId={appId} settings={settings} />}
      </QueryResult>
    </Panel>
  )
}

function Form({ appId, settings }: { appId: string; settings: AlertSettingsAnswer }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const [text, setText] = useState(settings.addresses.join('\n'))
  const [kinds, setKinds] = useState<AlertKind[]>(settings.kinds)
  const addresses = text.split(/[\s,;]+/).filter(Boolean)
  const saving = useMutation({
    mutationFn: () => cairn.alerts.setSettings(appId, { addresses, kinds }),
    onSuccess: (saved) => {
      queries.setQueryData(['app', appId, 'alert-settings'], saved)
      notifySuccess(texts.saved)
    },
  })
  const { form, wrong, rest } = useForm(saving, ['addresses', 'kinds'])
  const isChanged = addresses.join() !== settings.addresses.join()
  return (
    <form className="stack" {...form} noValidate>
      <p className="dim">{texts.text}</p>
      {!settings.sendsMail && (
        <Notice tone="note" title={texts.noMail}>
          {texts.noMailText}
        </Notice>
      )}
      {rest && <Notice tone="err" title={rest} />}
      <Textarea
        label={texts.addresses}
        description={texts.addressesText}
        autosize
        minRows={2}
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        error={wrong.addresses}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <Checkbox.Group
        label={texts.kinds}
        error={wrong.kinds}
        value={kinds}
        onChange={(chosen) => setKinds(KINDS.filter((kind) => chosen.includes(kind)))}
      >
        <div className="stack">
          {KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} label={texts.kindNames[kind]} />
          ))}
        </div>
      </Checkbox.Group>
      <Group gap={8}>
        <Button type="submit" variant="filled" loading={saving.isPending}>
          {texts.save}
        </Button>
        {settings.sendsMail && settings.addresses.length > 0 && <TestMails appId={appId} isDisabled={isChanged} />}
      </Group>
    </form>
  )
}
