import { translation } from '../catalogue'
import type en from '../en/fill'

export default translation<typeof en>({
  sheaf: 'Sheaf',
  home: 'الصفحة الرئيسية لـ Sheaf',
  offline: 'لا يوجد اتصال',
  nowhere: 'لا يوجد شيء في هذا العنوان. تأكد من أن الرابط كامل.',
  broken: 'حدث خطأ في هذه الصفحة. أعد تحميلها؛ ما حُفظ على هذا الجهاز يبقى.',
})
