import { translation } from '../catalogue'
import type en from '../en/invitation'

export default translation<typeof en>({
  title: 'أنت مدعو',
  about: 'يريد شخص أن يشارك معك مشروعًا على هذا الخادم.',
  aboutFor: 'يريد شخص أن يشارك معك مشروعًا. أنشئ حسابًا بالعنوان {email} وستجد المشروع.',
  register: 'إنشاء حساب',
  signIn: 'لدي حساب',
  signedIn: 'أنت مسجل باسم {name}. ما يُشارك معك موجود في صفحتك الرئيسية.',
  goOn: 'إلى الصفحة الرئيسية',
})
