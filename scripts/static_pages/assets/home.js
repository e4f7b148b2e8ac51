/* Pages without anything but their theme. */

import { theme } from "./theme.js";

theme();
