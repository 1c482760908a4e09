import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Files = () => (
  <PageBody>
    <PageHead title="Files" />
  </PageBody>
)
