import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const BoardPage = () => (
  <PageBody>
    <PageHead title="BoardPage" />
  </PageBody>
)
