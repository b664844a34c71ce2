import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/data',
    component: () => import('./data.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
    // Data of some forms are public.
    meta: { access: 'anyone' },
  },
]
