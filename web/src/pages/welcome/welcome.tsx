import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Welcome = () => (
  <PageBody>
    <PageHead title="Welcome" />
  </PageBody>
)
