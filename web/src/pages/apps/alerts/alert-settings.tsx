import type { AlertKind, AlertSettingsAnswer } from '@cairn/sdk'
import { Button, Checkbox, Group, Select, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifySuccess } from '../../../components/feedback/notify.ts'
import { useForm } from '../../../components/feedback/use-form.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { QueryResult } from '../../../components/query/query-result.tsx'
import { currentLanguage, LANGUAGES, type Language } from '../../../language/language.ts'
import { messages } from '../../../messages/index.ts'
import { useCairn } from '../../../session/session.tsx'
import { TestMails } from './test-mails.tsx'

const texts = messages.app.alerts
/** Before there are addresses, the language is that of the console. */
const inOwnLanguage = (settings: AlertSettingsAnswer): AlertSettingsAnswer =>
  settings.addresses.length > 0 ? settings : { ...settings, language: currentLanguage() }
const KINDS = Object.keys(texts.kindNames) as AlertKind[]

/** Whom the alerts of an app are mailed to, for its owners and admins. */
export function AlertSettings({ appId }: { appId: string }) {
  const cairn = useCairn()
  const query = useQuery({
    queryKey: ['app', appId, 'alert-settings'],
    queryFn: ({ signal }) => cairn.alerts.settings(appId, { signal }),
    select: inOwnLanguage,
  })
  return (
    <Panel title={texts.title}>
      <QueryResult query={query} rows={4}>
        {(settings) => <Form appId={appId} settings={settings} />}
      </QueryResult>
    </Panel>
  )
}

function Form({ appId, settings }: { appId: string; settings: AlertSettingsAnswer }) {
  const cairn = useCairn()
  const queries = useQueryClient()
  const { text, setText, kinds, setKinds, language, setLanguage, addresses, isChanged, byOthers, fill } =
    useInput(settings)
  const saving = useMutation({
    mutationFn: () => cairn.alerts.setSettings(appId, { addresses, kinds, language }),
    onSuccess: (saved) => {
      fill(saved)
      queries.setQueryData(['app', appId, 'alert-settings'], saved)
      notifySuccess(texts.saved)
    },
  })
  const { form, wrong, rest } = useForm(saving, ['addresses', 'kinds', 'language'])
  return (
    <form className="stack" {...form} noValidate>
      <p className="dim">{texts.text}</p>
      {!settings.sendsMail && (
        <Notice tone="note" title={texts.noMail}>
          {texts.noMailText}
        </Notice>
      )}
      {rest && <Notice tone="err" title={rest} />}
      {byOthers && (
        <Notice
          tone="warn"
          title={texts.changedByOthers}
          actions={
            <Button size="xs" onClick={() => fill(byOthers)}>
              {texts.takeTheirs}
            </Button>
          }
        >
          <div>{texts.changedByOthersText}</div>
          <div>
            {[
              ...byOthers.addresses,
              ...byOthers.kinds.map((kind) => texts.kindNames[kind]),
              LANGUAGES[byOthers.language],
            ].join(', ')}
          </div>
        </Notice>
      )}
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
      <Select
        label={texts.language}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
        value={language}
        error={wrong.language}
        allowDeselect={false}
        onChange={(value) => setLanguage(value as Language)}
        maw="20rem"
      />
      <Group gap={8}>
        <Button type="submit" variant="filled" loading={saving.isPending}>
          {texts.save}
        </Button>
        {settings.sendsMail && settings.addresses.length > 0 && (
          <TestMails appId={appId} isDisabled={isChanged || byOthers !== undefined} />
        )}
      </Group>
    </form>
  )
}

type Values = Pick<AlertSettingsAnswer, 'addresses' | 'kinds' | 'language'>
const isSame = (a: Values, b: Values) =>
  a.addresses.join() === b.addresses.join() &&
  a.kinds.toSorted().join() === b.kinds.toSorted().join() &&
  a.language === b.language

/** The input of the form. It follows the settings until it is changed; then those that somebody else saves are `byOthers`. */
function useInput(settings: AlertSettingsAnswer) {
  const [text, setText] = useState(settings.addresses.join('\n'))
  const [kinds, setKinds] = useState<AlertKind[]>(settings.kinds)
  const [language, setLanguage] = useState<Language>(settings.language)
  const [base, setBase] = useState<Values>(settings)
  const [seen, setSeen] = useState(settings)
  const addresses = text.split(/[\s,;]+/).filter(Boolean)
  const input = { addresses, kinds, language }
  const isChanged = !isSame(input, base)
  const fill = (from: Values) => {
    setBase(from)
    setText(from.addresses.join('\n'))
    setKinds(from.kinds)
    setLanguage(from.language)
  }
  if (settings !== seen) {
    setSeen(settings)
    if (!isChanged || isSame(input, settings)) fill(settings)
  }
  const byOthers = isChanged && !isSame(settings, base) ? settings : undefined
  return { text, setText, kinds, setKinds, language, setLanguage, addresses, isChanged, byOthers, fill }
}
