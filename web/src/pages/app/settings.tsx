import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Settings = () => (
  <PageBody>
    <PageHead title="Settings" />
  </PageBody>
)
