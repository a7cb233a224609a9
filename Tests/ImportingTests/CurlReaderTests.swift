import Importing
import ShellWords
import SourceText
import TestSupport
import Testing
