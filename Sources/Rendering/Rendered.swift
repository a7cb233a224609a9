import Redaction
