import { createCairn } from '@cairn/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { messages } from '../messages/index.ts'
import { loadSettings } from './console-settings.ts'
import { useSession } from './session.tsx'
import { SignInCard } from './sign-in-card.tsx'

/** The redirect target of the issuer. Exchanges the code for a session and returns to the original page. */
export function Callback() {
  const { begin } = useSession()
  const navigate = useNavigate()
  const settings = useQuery({ queryKey: ['settings'], queryFn: loadSettings, staleTime: Number.POSITIVE_INFINITY })
  const [refusal, setRefusal] = useState<string | null>(null)
  // Codes work once, and React renders twice in development.
  const hasStarted = useRef(false)

  useEffect(() => {
    const signIn = settings.data?.signIn
    if (!signIn || hasStarted.current) return
    hasStarted.current = true
    const end = async () => {
      const { completeSignIn } = await import('./oidc.ts')
      const { identityToken, backTo } = await completeSignIn(signIn, new URL(location.href))
      const { serviceSessionToken } = await createCairn({ baseUrl: location.origin }).auth.exchange(identityToken)
      begin(serviceSessionToken)
      await navigate({ to: backTo, replace: true })
    }
    end().catch((error: Error) => setRefusal(error.message))
  }, [settings.data, begin, navigate])

  if (refusal === null) return <SignInCard title={messages.shell.signIn.leaving} />
  return (
    <SignInCard title={messages.shell.signIn.refused} text={refusal}>
      <a href="/console/">{messages.shell.signIn.again}</a>
    </SignInCard>
  )
}
