import { translation } from '../catalogue'
import type en from '../en/verify'

export default translation<typeof en>({
  title: 'بريدك الإلكتروني',
  about: 'ضغطة واحدة تُظهر أن الرسائل إلى هذا العنوان تصلك.',
  verify: 'نعم، هذا عنواني',
  done: 'شكرًا، {name}. تم التحقق من عنوانك، وما دُعيت إليه مُشارك معك.',
  linkOld: 'لم يعد هذا الرابط يعمل: استُخدم من قبل، أو هو قديم جدًا. اطلب رابطًا جديدًا في حسابك.',
  noKey: 'ينقص هذا العنوان مفتاحه. افتح رابط الرسالة كاملًا.',
  signIn: 'تسجيل الدخول',
  goOn: 'متابعة',
})
