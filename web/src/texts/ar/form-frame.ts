import { translation } from '../catalogue'
import type en from '../en/form-frame'

export default translation<typeof en>({
  pages: 'صفحات هذا النموذج',
  language: 'لغة الأسئلة',
  overview: 'نظرة عامة',
  data: 'البيانات',
  map: 'الخريطة',
  charts: 'الرسوم البيانية',
  dashboard: 'لوحة المتابعة',
  media: 'الوسائط',
  collect: 'جمع البيانات',
  versions: 'الإصدارات',
  settings: 'الإعدادات',
  hiddenTitle: 'لا ترى سجلات هذا النموذج',
  hiddenAbout: 'اطلب ذلك من مالك المشروع أو مديره.',
})
